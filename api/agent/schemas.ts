import { type Static, Type } from '@sinclair/typebox';
import { FailureCodeSchema, ResultSchema, StatusSchema } from '../../shared/jobs/conversation.ts';
import { MAX_PROMPT } from '../../shared/jobs/job.ts';
import { BudgetSchema, WaitingForSchema } from '../../shared/jobs/waiting-schemas.ts';
import { UploadIds } from '../../shared/jobs/uploads.ts';
import { EffortSchema } from '../../shared/models/thinking.ts';
import { nonBlank, worded } from '../../shared/text/worded.ts';

/** What examples name. */
const IDS = { project: 'prj_01k9y6w0c4x2v8n5s7q1m3d6ht', job: 'job_01kaj5zq3v8w1m4r7t2x9c6bne' };
const EXAMPLE = {
  id: IDS.job,
  status: 'completed',
  source: {
    repository: 'https://github.com/acme/docs',
    ref: 'docent/add-a-page-about-webhooks-2x9c6bne',
  },
  model: 'claude-sonnet-5-5',
  prLink: 'https://github.com/acme/docs/pull/128',
  createdAt: '2026-11-23T09:12:04.310Z',
  archivedAt: null,
} as const;

export const JobSchema = Type.Object(
  {
    id: Type.String({
      description: 'Unique identifier of the agent job; also its Temporal workflow id.',
    }),
    status: StatusSchema,
    source: Type.Object(
      {
        repository: Type.String({ description: 'The repository’s full URL.' }),
        ref: Type.Union([Type.String(), Type.Null()], {
          description: 'The branch the agent works on; null until it is pushed.',
        }),
      },
      { title: 'Source', description: 'Where the job works.' },
    ),
    model: Type.String({
      description: 'The model that answered; before that, the configured one.',
    }),
    prLink: Type.Union([Type.String(), Type.Null()], {
      description:
        'The newest pull request; null while the job is active, and if nothing was changed.',
    }),
    previewUrl: Type.Optional(
      Type.String({
        description:
          'Where the pull request can be seen as a site; only if a deployment or commit status ' +
          'names it, and not while the job is active.',
      }),
    ),
    waitingFor: Type.Optional(WaitingForSchema),
    createdAt: Type.String({ format: 'date-time', description: 'When the job was created.' }),
    archivedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When it was archived; null before.',
    }),
  },
  { $id: 'Job', description: 'An agent job.', examples: [EXAMPLE] },
);
export type JobBody = Static<typeof JobSchema>;
/** The schema by name, so that the OpenAPI document contains it once. */
export const JobRef = Type.Unsafe<JobBody>({ $ref: 'Job#' });

export const ProjectParams = Type.Object({
  projectId: Type.String({
    description: 'Project identifier, from the API keys page of the dashboard.',
    examples: [IDS.project],
  }),
});
export const JobParams = Type.Object({
  projectId: ProjectParams.properties.projectId,
  id: Type.String({ description: 'Unique identifier of the agent job.', examples: [IDS.job] }),
});

const prompt = (description: string) =>
  nonBlank({ minLength: 1, maxLength: MAX_PROMPT, description });

const PlanFirst = Type.Boolean({
  description:
    'First make a plan, and wait until a person approves it; for a new job, without it, as the ' +
    'project says.',
});
const AnsweredTurn = Type.Integer({
  minimum: 1,
  examples: [1],
  description:
    'The turn whose question or plan this answers; 409 if the job no longer waits for it.',
});

export const CreateJobBody = Type.Object(
  {
    prompt: prompt('The instruction for the agent.'),
    branch: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Branch to work on; generated from the prompt if omitted.',
      }),
    ),
    asDraft: Type.Optional(
      Type.Boolean({ default: false, description: 'Open the pull request as a draft.' }),
    ),
    model: Type.Optional(
      Type.Union([Type.Literal('sonnet'), Type.Literal('opus')], {
        title: 'ModelChoice',
        description: 'sonnet is faster and cheaper, opus more capable.',
      }),
    ),
    effort: Type.Optional(EffortSchema),
    budget: Type.Optional(BudgetSchema),
    requirePlanApproval: Type.Optional(PlanFirst),
    uploads: Type.Optional(UploadIds),
  },
  {
    title: 'CreateJob',
    description: 'What the agent is to do, and how.',
    examples: [{ prompt: 'Add a page about webhooks' }],
  },
);
export const MessageBody = Type.Object(
  {
    prompt: prompt('The follow-up instruction.'),
    requirePlanApproval: Type.Optional(PlanFirst),
    turn: Type.Optional(AnsweredTurn),
    uploads: Type.Optional(UploadIds),
  },
  {
    title: 'SendMessage',
    description: 'A further instruction.',
    examples: [{ prompt: 'Mention retries as well' }],
  },
);

export const DecisionQuery = Type.Object({
  turn: Type.Optional(AnsweredTurn),
});
export const ApprovalQuery = Type.Object({
  ...DecisionQuery.properties,
  allow: Type.Optional(
    Type.Union([Type.Literal('job'), Type.Literal('project')], {
      title: 'AllowedFor',
      description:
        'Of what the policy refused: for this job. For the project, only owners may, in the dashboard: 403.',
    }),
  ),
});
export const JobChange = Type.Object(
  { budget: BudgetSchema },
  { title: 'ChangeJob', description: 'What to change.', examples: [{ budget: 10 }] },
);

export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    worded('^[!-~]+$', ', printable ASCII without spaces', {
      minLength: 1,
      maxLength: 255,
      description:
        'Makes the call safe to repeat: ' +
        'the same key and body have the same effect once, for a day at least.',
      examples: ['webhooks-page-1'],
    }),
  ),
});
export const WaitHeaders = Type.Object({
  'if-none-match': Type.Optional(
    Type.String({
      description: 'An ETag: 304 while the job is still the same.',
      examples: ['"q3v8w1m4r7t2x9c6bne"'],
    }),
  ),
  prefer: Type.Optional(
    Type.String({
      description:
        '`wait=N` (seconds, at most 60): answer once the job has changed from If-None-Match, ' +
        'or is no longer active.',
      examples: ['wait=60'],
    }),
  ),
});

export const EventsHeaders = Type.Object({
  'last-event-id': Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Number of the last event that was read; the stream continues after it.',
      examples: [7],
    }),
  ),
});

export const EventsQuery = Type.Object({
  deltas: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Also send the text of a running model call, as events named text_delta: without id, ' +
        'and void once the whole text comes or the call is repeated.',
      examples: [true],
    }),
  ),
});

/** A cursor, as an example. */
const NEXT = Buffer.from(IDS.job).toString('base64url');
export const ListQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 20,
      description: 'Jobs of a page.',
      examples: [50],
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'nextCursor of the previous page.',
      examples: [NEXT],
    }),
  ),
  status: Type.Optional(StatusSchema),
  outcome: Type.Optional(ResultSchema),
});
const ListedJob = Type.Object(
  {
    ...JobSchema.properties,
    outcome: Type.Union([ResultSchema, Type.Null()], {
      description: 'What came of it; null while it is active.',
    }),
    failureCode: Type.Union([FailureCodeSchema, Type.Null()], {
      description: 'Why it failed; null if it did not.',
    }),
  },
  {
    title: 'ListedJob',
    description: 'An agent job, and what came of it; null while it is active.',
  },
);
export const JobList = Type.Object(
  {
    jobs: Type.Array(ListedJob, { description: 'Jobs, newest first.' }),
    nextCursor: Type.Union([Type.String(), Type.Null()], {
      description: 'Of the next page; null on the last one.',
    }),
  },
  {
    title: 'JobList',
    description: 'A page of the list of jobs.',
    examples: [
      { jobs: [{ ...EXAMPLE, outcome: 'published', failureCode: null }], nextCursor: NEXT },
    ],
  },
);
