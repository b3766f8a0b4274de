import { type Static, Type } from '@sinclair/typebox';
import { ConstructSchema } from './construct.ts';

export const PlanSchema = Type.Object(
  {
    summary: Type.String({ description: 'What readers will have, and how.' }),
    changes: Type.Array(
      Type.Object(
        {
          path: Type.String({ description: 'The file, from the root of the repository.' }),
          change: Type.String({ description: 'What is to change in it.' }),
        },
        { title: 'PlannedChange', description: 'What a plan does to one file.' },
      ),
      { description: 'The pages, and what is to change in each.' },
    ),
    questions: Type.Array(Type.String(), { description: 'What the agent does not know.' }),
  },
  { title: 'Plan', description: 'What the agent would do.' },
);
export type Plan = Static<typeof PlanSchema>;

export const WaitingForSchema = Type.Union(
  [Type.Literal('approval'), Type.Literal('answer'), Type.Literal('budget')],
  { title: 'WaitingFor', description: 'What the job waits for from a person.' },
);

/** What a person has to know in order to answer. */
export const WaitingSchema = Type.Object(
  {
    for: WaitingForSchema,
    turn: Type.Integer({ description: 'The turn that it belongs to; an answer may name it.' }),
    plan: Type.Optional(PlanSchema),
    constructs: Type.Optional(
      Type.Array(ConstructSchema, { description: 'What the policy refused.' }),
    ),
    question: Type.Optional(Type.String({ description: 'What the agent asks.' })),
    options: Type.Optional(
      Type.Array(Type.String(), { description: 'The answers to choose from.' }),
    ),
    budgetUsd: Type.Optional(Type.Number({ description: 'The budget that is reached.' })),
  },
  {
    title: 'Waiting',
    description: 'What an idle job waits for.',
    examples: [{ for: 'answer', turn: 1, question: 'Which page do you mean?' }],
  },
);
export type Waiting = Static<typeof WaitingSchema>;

/** Decimals of a budget are those of a cent. */
export const BudgetSchema = Type.Number({
  minimum: 0.01,
  maximum: 1_000_000,
  description: 'US dollars that the job may spend on the model; it stops there and waits.',
  examples: [5],
});
