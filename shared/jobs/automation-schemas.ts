import { type Static, Type } from '@sinclair/typebox';

/** Automations as the API and the dashboard show them. */

const Time = Type.String({ format: 'date-time' });
const nullable = <T extends ReturnType<typeof Type.String>>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const RUN = {
  id: 'run_01kaj5zq3v8w1m4r7t2x9c6bne',
  cause: 'schedule',
  about: 'due at 2026-11-23T07:00:00Z',
  url: null,
  state: 'done',
  outcome: 'published',
  reason: 'Two links lead to the renamed page again.',
  pages: [],
  jobId: 'job_01kaj5zq3v8w1m4r7t2x9c6bne',
  prLink: 'https://github.com/acme/docs/pull/128',
  createdAt: '2026-11-23T07:00:04.310Z',
  finishedAt: '2026-11-23T07:03:41.200Z',
} as const;
const AUTOMATION = {
  id: 'aut_01k9y6w0c4x2v8n5s7q1m3d6ht',
  name: 'Fix broken links',
  path: '.docent/workflows/fix-links.md',
  trigger: '0 7 * * 1 (UTC)',
  state: 'active',
  note: null,
  jobId: 'job_01kaj5zq3v8w1m4r7t2x9c6bne',
  lastRun: RUN,
} as const;

const Cause = Type.Union(
  [Type.Literal('schedule'), Type.Literal('hand'), Type.Literal('index'), Type.Literal('change')],
  { title: 'AutomationCause', description: 'What started it.' },
);
const RunStateSchema = Type.Union(
  [
    Type.Literal('waiting'),
    Type.Literal('held_back'),
    Type.Literal('running'),
    Type.Literal('done'),
  ],
  {
    title: 'AutomationRunState',
    description: 'Where it stands; held_back: a brake holds it, and reason names it.',
  },
);
const RunOutcomeSchema = Type.Union(
  [
    Type.Literal('published'),
    Type.Literal('unchanged'),
    Type.Literal('answered'),
    Type.Literal('declined'),
    Type.Literal('cancelled'),
    Type.Literal('failed'),
    Type.Literal('no_action'),
    Type.Literal('held_back'),
  ],
  {
    title: 'AutomationOutcome',
    description: 'How it ended; no_action: nothing had to be done.',
  },
);
const AutomationState = Type.Union(
  [Type.Literal('active'), Type.Literal('paused'), Type.Literal('invalid')],
  {
    title: 'AutomationState',
    description: 'invalid: its file cannot be used; note is the reason.',
  },
);

export const RunSchema = Type.Object(
  {
    id: Type.String({ description: 'Unique identifier of the run.' }),
    cause: Cause,
    about: Type.String({
      description: 'The change that started it, or when it was due; empty for a run by hand.',
    }),
    url: nullable(Type.String(), 'The pull request that started it.'),
    state: RunStateSchema,
    outcome: Type.Union([RunOutcomeSchema, Type.Null()], {
      description: 'How it ended; null before.',
    }),
    reason: nullable(Type.String(), 'One sentence about the outcome, or what it waits for.'),
    pages: Type.Array(Type.String(), { description: 'Pages that may be concerned.' }),
    jobId: nullable(Type.String(), 'The job that it is a turn of.'),
    prLink: nullable(Type.String(), 'The pull request that it opened or updated.'),
    createdAt: Type.String({ format: 'date-time', description: 'When it was caused.' }),
    finishedAt: nullable(Time, 'When it ended.'),
  },
  { description: 'A run of an automation.', examples: [RUN] },
);
export type RunBody = Static<typeof RunSchema>;

export const AutomationSchema = Type.Object(
  {
    id: Type.String({ description: 'Unique identifier of the automation.' }),
    name: Type.String({ description: 'As its file says.' }),
    path: Type.String({ description: 'Its file, on the project’s base branch.' }),
    trigger: Type.String({ description: 'What starts it, in words.' }),
    state: AutomationState,
    note: nullable(Type.String(), 'Why it is invalid or was paused, in one sentence.'),
    jobId: nullable(Type.String(), 'Its standing job; null before the first run.'),
    lastRun: Type.Union([RunSchema, Type.Null()], { description: 'Its newest run.' }),
  },
  { description: 'A file that starts work of the agent.', examples: [AUTOMATION] },
);
export type AutomationBody = Static<typeof AutomationSchema>;
