/** Jobs, pull requests and questions: the dashboard's contract. */
import { type Static, Type } from '@sinclair/typebox';
import { OUTCOMES } from '../../../db/jobs/outcome.ts';
import { EffortSchema } from '../../../shared/models/thinking.ts';
import { FindingSchema, StatusSchema, TodoSchema } from '../../../shared/jobs/conversation.ts';
import { WaitingForSchema, WaitingSchema } from '../../../shared/jobs/waiting-schemas.ts';
import { CostSchema } from '../../../shared/models/cost.ts';
import { worded } from '../../../shared/text/worded.ts';
import { Cursor, Id, nullable, Time } from './common.ts';

export const Limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25 }));
export const Search = Type.Optional(worded('^[^\\0]*$', ', without U+0000', { maxLength: 200 }));

/** Pages that an answer cites. */
export const Sources = Type.Array(Type.Object({ url: Type.String(), title: Type.String() }));

export const OutcomeSchema = Type.Union(OUTCOMES.map(each => Type.Literal(each)));
export type Outcome = Static<typeof OutcomeSchema>;

export const Job = Type.Object({
  id: Type.String(),
  project: Type.Object({ id: Type.String(), domain: Type.String() }),
  status: StatusSchema,
  outcome: OutcomeSchema,
  /** While it is idle. */
  waitingFor: nullable(WaitingForSchema),
  /** How many problems the checks left in its pull request. */
  problems: Type.Integer(),
  title: nullable(Type.String()),
  /** The first 300 characters of the instruction. */
  prompt: Type.String(),
  branch: Type.String(),
  prLink: nullable(Type.String()),
  /** Where the host shows the pull request as a site. */
  previewUrl: nullable(Type.String()),
  /**
   * Number of a pull request on the built-in host: its page is `…/pulls/<number>`.
   */
  prNumber: nullable(Type.Integer()),
  model: Type.String(),
  generation: Type.Union([Type.Literal('v1'), Type.Literal('v2')]),
  startedBy: nullable(
    Type.Object({
      type: Type.Union([Type.Literal('user'), Type.Literal('key'), Type.Literal('automation')]),
      name: Type.String(),
    }),
  ),
  turns: Type.Integer(),
  ...CostSchema.properties,
  createdAt: Time,
  updatedAt: Time,
  finishedAt: nullable(Time),
  archivedAt: nullable(Time),
});
export type Job = Static<typeof Job>;
const Moment = Type.Optional(
  worded(
    '^[12]\\d{3}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3])(:[0-5]\\d){2}(\\.\\d{3})?Z$',
    ': a time such as 2026-11-23T00:00:00Z',
  ),
);
export const JobListQuery = Type.Object({
  status: Type.Optional(StatusSchema),
  outcome: Type.Optional(OutcomeSchema),
  search: Search,
  /** Id of the user who started it; `key`: a script did, with an API key. */
  person: Type.Optional(Id),
  model: Type.Optional(worded('^[^\\0]*$', ', without U+0000', { minLength: 1, maxLength: 200 })),
  /** Created then or later. */
  since: Moment,
  /** Created before. */
  until: Moment,
  pullRequest: Type.Optional(Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 })),
  cursor: Type.Optional(Cursor),
  limit: Limit,
});
export const JobList = Type.Object({ jobs: Type.Array(Job), nextCursor: nullable(Type.String()) });
export type JobList = Static<typeof JobList>;
/** What the lists of jobs of an organization can be filtered by. */
export const JobFilterOptions = Type.Object({
  people: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
  models: Type.Array(Type.String()),
});
export type JobFilterOptions = Static<typeof JobFilterOptions>;
export const JobDetail = Type.Composite([
  Job,
  Type.Object({
    fullPrompt: Type.String(),
    messageToUser: nullable(Type.String()),
    haltReason: nullable(
      Type.Union([
        Type.Literal('completed'),
        Type.Literal('repohost_missconfigured'),
        Type.Literal('error'),
      ]),
    ),
    todos: Type.Array(TodoSchema),
    tokens: Type.Object({
      input: Type.Integer(),
      output: Type.Integer(),
      cacheRead: Type.Integer(),
      cacheWrite: Type.Integer(),
      /** Of the input, from the cache, 0 to 1; null: unknown. */
      cachedShare: nullable(Type.Number()),
    }),
    baseRef: Type.String(),
    repositoryUrl: Type.String(),
    /** The branch once it is pushed. */
    ref: nullable(Type.String()),
    asDraft: Type.Boolean(),
    /** Null: none. */
    budgetUsd: nullable(Type.Number()),
    waiting: nullable(WaitingSchema),
    /** How much its model may think; null: as the model does by default. */
    effort: nullable(EffortSchema),
    lastEvent: Type.Integer(),
    /** Questions of readers that it was made of. */
    questions: Type.Array(
      Type.Object({
        question: Type.String(),
        /** Null: not since the newest merge. */
        askedAgainAt: nullable(Time),
        /** Of the answer; none: the docs do not answer it. */
        sources: Sources,
      }),
    ),
    /** For owners: the history in Temporal's Web UI, and commands to paste. */
    operator: nullable(
      Type.Object({
        workflowId: Type.String(),
        historyUrl: nullable(Type.String()),
        commands: Type.Array(Type.Object({ label: Type.String(), command: Type.String() })),
      }),
    ),
  }),
]);
export type JobDetail = Static<typeof JobDetail>;
/** A step of a job, as its events name it. */
export const StepParams = Type.Object({
  projectId: Id,
  id: Id,
  turn: Type.Integer({ minimum: 1, maximum: 100_000 }),
  step: Type.Integer({ minimum: 1, maximum: 100_000 }),
});
/** What the calls of a step gave: what the model read of them, without what looks like a secret. */
export const StepResults = Type.Object({
  results: Type.Array(
    Type.Object({
      toolCallId: Type.String(),
      content: Type.String(),
      /** False: the rest is left out, it is too long to show. */
      complete: Type.Boolean(),
      isError: Type.Boolean(),
    }),
  ),
});
export type StepResults = Static<typeof StepResults>;
export const EventsQuery = Type.Object({ deltas: Type.Optional(Type.Boolean({ default: false })) });
export const EventsHeaders = Type.Object({
  'last-event-id': Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
});

export const FileDiff = Type.Object({
  path: Type.String(),
  /** The earlier path of a moved file. */
  from: nullable(Type.String()),
  change: Type.Union([
    Type.Literal('added'),
    Type.Literal('deleted'),
    Type.Literal('moved'),
    Type.Literal('changed'),
  ]),
  binary: Type.Boolean(),
  additions: Type.Integer(),
  deletions: Type.Integer(),
  /**
   * The hunks of a unified diff, a line each, with git's first character: `@@ -1,3 +1,4 @@`, `+`,
   * `-`, space, backslash.
   */
  lines: Type.Array(Type.String()),
});
export type FileDiff = Static<typeof FileDiff>;
/** `complete` false: the rest is left out, it is too long to show. */
export const Diff = Type.Object({ files: Type.Array(FileDiff), complete: Type.Boolean() });
export type Diff = Static<typeof Diff>;

/** A file as it becomes, for the lines between the changes. */
export const FileTextQuery = Type.Object({ file: Type.String({ minLength: 1, maxLength: 1_000 }) });
/** Its lines; none if it is not text, or is too long to show. */
export const FileText = Type.Object({ lines: Type.Array(Type.String()) });
export type FileText = Static<typeof FileText>;

const PullState = Type.Union([
  Type.Literal('open'),
  Type.Literal('merged'),
  Type.Literal('closed'),
]);
export const PullRequest = Type.Object({
  number: Type.Integer(),
  title: Type.String(),
  state: PullState,
  draft: Type.Boolean(),
  head: Type.String(),
  base: Type.String(),
  /** Its page, for everyone who has the link. */
  url: Type.String(),
  jobId: nullable(Type.String()),
  createdAt: Time,
  updatedAt: Time,
  closedAt: nullable(Time),
});
export type PullRequest = Static<typeof PullRequest>;
export const PullRequestQuery = Type.Object({
  state: Type.Optional(PullState),
  /** A number: the page has lower ones. */
  cursor: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,8}$' })),
});
/** `url` not null: they are on their host, at that address; the list is empty. */
export const PullRequestList = Type.Object({
  host: Type.String(),
  hostName: Type.String(),
  url: nullable(Type.String()),
  pullRequests: Type.Array(PullRequest),
  nextCursor: nullable(Type.String()),
});
export type PullRequestList = Static<typeof PullRequestList>;
export const PullRequestDetail = Type.Composite([
  PullRequest,
  Type.Object({
    /** Markdown, untrusted: load and run nothing from it. */
    body: Type.String(),
    commits: Type.Array(
      Type.Object({
        id: Type.String(),
        author: Type.String(),
        time: Type.String(),
        subject: Type.String(),
      }),
    ),
    /** What the job's last checks left; empty where all is well; null without a job. */
    findings: nullable(Type.Array(FindingSchema)),
    /** Why it cannot be merged just now: a sentence that names the files. */
    conflict: nullable(Type.String()),
    diff: Diff,
  }),
]);
export type PullRequestDetail = Static<typeof PullRequestDetail>;
/** What people with its link see of a pull request. */
export type LinkedPullRequest = Omit<
  PullRequestDetail,
  'url' | 'jobId' | 'updatedAt' | 'findings' | 'conflict'
> & { repository: string };
