import type { TranscriptEntry } from '../../db/jobs/transcript.ts';
import { docentNote, PLAN_APPROVED } from '../../shared/agent-text.ts';
import { type Answer, planText } from '../../shared/jobs/waiting.ts';
import type { Plan } from '../../shared/jobs/waiting-schemas.ts';
import { askTool } from '../tools/ask.ts';
import { proposePlanTool } from '../tools/propose-plan.ts';
import { tools } from '../tools/registry.ts';

type Marked = Pick<TranscriptEntry, 'meta'>;

/** Whether the agent has an instruction whose plan no person has approved yet. */
export function isPlanning(transcript: readonly Marked[]): boolean {
  const asked = transcript.findLastIndex(({ meta }) => meta.planFirst === true);
  return asked > transcript.findLastIndex(({ meta }) => meta.answer === 'approve');
}

export function newestPlan(transcript: readonly Marked[]): Plan | undefined {
  return transcript.findLast(({ meta }) => meta.plan)?.meta.plan;
}

/** The tools of that phase: they change nothing. */
const PLANNING: ReadonlySet<string> = new Set([
  ...tools.filter(({ readOnly }) => readOnly).map(({ name }) => name),
  askTool.name,
  proposePlanTool.name,
]);

export function isPlanningTool(name: string): boolean {
  return PLANNING.has(name);
}

/** Why a tool is not run in the phase in which the model called it. */
export function outOfPhase(name: string | undefined, planning: boolean): string | undefined {
  if (name === undefined) return undefined;
  if (planning && !PLANNING.has(name))
    return `Not run: a person has to approve your plan first. Read what you need, then call ${proposePlanTool.name}.`;
  return !planning && name === proposePlanTool.name
    ? 'Not run: nobody waits for a plan. Carry out the instruction.'
    : undefined;
}

/** Beside an instruction that needs a plan. */
export const PLAN_FIRST = docentNote(
  'A person approves your plan before you change anything. In this phase you have reading tools ' +
    `only. Find out what has to change, then call ${proposePlanTool.name}. If nothing has to, say so.`,
);

export const NO_PLAN_YET =
  `You stopped without a plan. Call ${proposePlanTool.name}, or ask if you need an answer first. ` +
  'If nothing has to change, say why.';

/** What the model gets in place of the decision of a person. */
export function decisionText({ verb }: Answer, plan: Plan | undefined): string {
  if (verb === 'raise') return docentNote('The budget was raised. Continue where you stopped.');
  if (verb === 'decline')
    return docentNote(
      'A person declined this. Do not carry it out, unless you are asked to again.',
    );
  const text = plan ? planText(plan).replaceAll('<', '‹') : '';
  return docentNote(`${PLAN_APPROVED} Carry it out now, with all tools.\n\n${text}`);
}
