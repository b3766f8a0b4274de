import { type Static, Type } from '@sinclair/typebox';

/** Automations as the API and the dashboard show them. */

const Time = Type.String({ format: 'date-time' });
const nullable = <T extends ReturnType<typeof Type.String>>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

export const RunSchema = Type.Object(
  {
    id: Type.String({ description: 'Unique identifier of the run.' }),
    cause: Type.Union(
      [
        Type.Literal('schedule'),
        Type.Literal('hand'),
        Type.Literal('index'),
        Type.Literal('change'),
      ],
      { description: 'What started it.' },
    ),
    about: Type.String({
      description: 'The change that started it, or when it was due; empty for a run by hand.',
    }),
    url: nullable(Type.String(), 'The pull request that started it.'),
    state: Type.Union(
      [
        Type.Literal('waiting'),
        Type.Literal('held_back'),
        Type.Literal('running'),
        Type.Literal('done'),
      ],
      { description: 'Where it stands; held_back: a brake holds it, and reason names it.' },
    ),
    outcome: Type.Union(
      [
        Type.Literal('published'),
        Type.Literal('unchanged'),
        Type.Literal('answered'),
        Type.Literal('declined'),
        Type.Literal('cancelled'),
        Type.Literal('failed'),
        Type.Literal('no_action'),
        Type.Literal('held_back'),
        Type.Null(),
      ],
      { description: 'How it ended; no_action: nothing had to be done; null before its end.' },
    ),
    reason: nullable(Type.String(), 'One sentence about the outcome, or what it waits for.'),
    pages: Type.Array(Type.String(), { description: 'Pages that may be concerned.' }),
    jobId: nullable(Type.String(), 'The job that it is a turn of.'),
    prLink: nullable(Type.String(), 'The pull request that it opened or updated.'),
    createdAt: Time,
    finishedAt: nullable(Time, 'When it ended.'),
  },
  { description: 'A run of an automation.' },
);
export type RunBody = Static<typeof RunSchema>;

export const AutomationSchema = Type.Object(
  {
    id: Type.String({ description: 'Unique identifier of the automation.' }),
    name: Type.String(),
    path: Type.String({ description: 'Its file, on the project’s base branch.' }),
    trigger: Type.String({ description: 'What starts it, in words.' }),
    state: Type.Union([Type.Literal('active'), Type.Literal('paused'), Type.Literal('invalid')], {
      description: 'invalid: its file cannot be used; note is the reason.',
    }),
    note: nullable(Type.String(), 'Why it is invalid or was paused, in one sentence.'),
    jobId: nullable(Type.String(), 'Its standing job; null before the first run.'),
    lastRun: Type.Union([RunSchema, Type.Null()], { description: 'Its newest run.' }),
  },
  { description: 'A file that starts work of the agent.' },
);
export type AutomationBody = Static<typeof AutomationSchema>;
