/** What people ask of jobs: the dashboard's contract. */
import { type Static, Type } from '@sinclair/typebox';
import { EffortSchema } from '../../../shared/models/thinking.ts';
import { BudgetSchema } from '../../../shared/jobs/waiting-schemas.ts';
import { UploadIds } from '../../../shared/jobs/uploads.ts';
import { nonBlank } from '../../../shared/text/worded.ts';
import { nullable } from './common.ts';

const Prompt = nonBlank({ minLength: 1, maxLength: 100_000 });
export const NewJob = Type.Object({
  prompt: Prompt,
  branch: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  asDraft: Type.Optional(Type.Boolean()),
  model: Type.Optional(Type.Union([Type.Literal('sonnet'), Type.Literal('opus')])),
  effort: Type.Optional(EffortSchema),
  /** Null: none. Without these two, as the project says. */
  budget: Type.Optional(nullable(BudgetSchema)),
  requirePlanApproval: Type.Optional(Type.Boolean()),
  uploads: Type.Optional(UploadIds),
});
export type NewJob = Static<typeof NewJob>;
const AskedTurn = Type.Integer({ minimum: 1, maximum: 100_000 });
export const NewMessage = Type.Object({
  prompt: Prompt,
  uploads: Type.Optional(UploadIds),
  /** Only if the job still waits for an answer to what this turn asked. */
  turn: Type.Optional(AskedTurn),
});
export type NewMessage = Static<typeof NewMessage>;
/** Of what the person saw: `turn` of `waiting`. */
export const Decision = Type.Object({
  turn: AskedTurn,
  /** Of what the policy refused; owners only: for the project. */
  allow: Type.Optional(Type.Union([Type.Literal('job'), Type.Literal('project')])),
});
export type Decision = Static<typeof Decision>;
export const NewBudget = Type.Object({ budget: BudgetSchema });
export type NewBudget = Static<typeof NewBudget>;
/** The step to make again: it and all that came after it are undone. */
export const RewindTo = Type.Object({
  turn: Type.Integer({ minimum: 1 }),
  step: Type.Integer({ minimum: 1 }),
});
export type RewindTo = Static<typeof RewindTo>;
