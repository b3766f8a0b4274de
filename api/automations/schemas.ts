import { Type } from '@sinclair/typebox';
import {
  type AutomationBody,
  AutomationSchema,
  type RunBody,
  RunSchema,
} from '../../shared/jobs/automation-schemas.ts';
import { ProjectParams } from '../agent/schemas.ts';

/** By name, so that the OpenAPI document contains each once. */
export const AutomationRef = Type.Unsafe<AutomationBody>({ $ref: 'Automation#' });
export const RunRef = Type.Unsafe<RunBody>({ $ref: 'AutomationRun#' });
export const Params = Type.Object({
  projectId: ProjectParams.properties.projectId,
  automationId: Type.String({
    description: 'Unique identifier of the automation.',
    examples: ['aut_01k9y6w0c4x2v8n5s7q1m3d6ht'],
  }),
});

export const AutomationList = Type.Object(
  { automations: Type.Array(AutomationRef, { description: 'By name.' }) },
  {
    title: 'AutomationList',
    description: 'The automations of a project.',
    examples: [{ automations: AutomationSchema.examples }],
  },
);
export const RunsQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 20,
      description: 'Runs of a page.',
      examples: [50],
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'nextCursor of the previous page.',
      examples: ['cnVuXzAxa2FqNXpxM3Y4dzFtNHI3dDJ4OWM2Ym5l'],
    }),
  ),
});
export const RunList = Type.Object(
  {
    runs: Type.Array(RunRef, { description: 'Newest first.' }),
    nextCursor: Type.Union([Type.String(), Type.Null()], {
      description: 'For the next page; null: this is the last one.',
    }),
  },
  {
    title: 'AutomationRunList',
    description: 'A page of runs.',
    examples: [{ runs: RunSchema.examples, nextCursor: null }],
  },
);
export const AddBody = Type.Object(
  { ready: Type.String({ maxLength: 100, description: 'The name of a ready-made automation.' }) },
  {
    title: 'AddAutomation',
    description: 'Which automation to add.',
    examples: [{ ready: 'fix-links' }],
  },
);
export const Added = Type.Object(
  { prLink: Type.String({ description: 'The pull request.' }) },
  {
    title: 'AutomationAdded',
    description: 'Where to review the file.',
    examples: [{ prLink: 'https://github.com/acme/docs/pull/129' }],
  },
);
export const Triggered = Type.Object(
  {
    schemaId: Type.String({ description: 'The automation.' }),
    instanceId: Type.String({ description: 'The run.' }),
    jobId: Type.String({ description: 'The automation’s standing job.' }),
  },
  {
    title: 'AutomationTriggered',
    description: 'What was started.',
    examples: [
      {
        schemaId: 'aut_01k9y6w0c4x2v8n5s7q1m3d6ht',
        instanceId: 'run_01kaj5zq3v8w1m4r7t2x9c6bne',
        jobId: 'job_01kaj5zq3v8w1m4r7t2x9c6bne',
      },
    ],
  },
);

/** The schemas that the names stand for. */
export const NAMED = [
  { ...RunSchema, $id: 'AutomationRun' },
  {
    ...Type.Object({
      ...AutomationSchema.properties,
      lastRun: Type.Union([RunRef, Type.Null()], { description: 'Its newest run.' }),
    }),
    $id: 'Automation',
    description: AutomationSchema.description,
    examples: AutomationSchema.examples,
  },
];
