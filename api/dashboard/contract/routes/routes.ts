import * as changes from '../job-changes.ts';
import * as jobs from '../jobs.ts';
import * as organizations from '../organizations.ts';
import * as people from '../people.ts';
import * as projects from '../projects/projects.ts';
import { PlaygroundBody } from '../../../assistant/message-body.ts';
import { ConversationSchema } from '../../../../shared/jobs/conversation.ts';
import { AuditList, AuditQuery } from '../audit.ts';
import { AUTOMATION_ROUTES } from './automation-routes.ts';
import { CONVENTION_ROUTES } from './convention-routes.ts';
import { FIND_ROUTES } from './find-routes.ts';
import { GITHUB_ROUTES } from './github-routes.ts';
import { Overview, OverviewQuery } from '../overview.ts';
import { PreviewRequest, ProjectPreview } from '../projects/preview.ts';
import { FEEDBACK_ROUTES } from './feedback-routes.ts';
import { QUESTION_ROUTES } from './question-routes.ts';
import { REVIEW_ROUTES } from './review-routes.ts';
import type { RouteEntry } from './route-entry.ts';
import { SITE_ROUTES } from './site-routes.ts';
import { WAITING_ROUTES } from './waiting-routes.ts';
import { WEBHOOK_ROUTES } from './webhook-routes.ts';
import { Usage, UsageQuery } from '../usage.ts';
import { NewUpload, Upload, UPLOAD_BODY_LIMIT } from '../../../../shared/jobs/uploads.ts';

/** Images for instructions. */
const UPLOAD_ROUTES = {
  'POST /projects/:projectId/uploads': {
    who: 'member',
    body: NewUpload,
    bodyLimit: UPLOAD_BODY_LIMIT,
    answer: Upload,
    status: 201,
  },
} satisfies Record<string, RouteEntry>;

/**
 * The contract between the dashboard (a browser app under `/dashboard/`) and its backend
 * (`api/dashboard`): every route, once. The server registers its routes from this table. The
 * browser imports types from it, nothing else: a route's name is its method and path, so the
 * browser needs no value from here, and no schema reaches its bundle.
 *
 * All paths are below `/api/dashboard`. Bodies and answers are JSON; errors are problems (RFC 9457)
 * whose `error` is a sentence to show, with `errors: [{path, message}]` for wrong fields. A cookie
 * that scripts cannot read carries the session. 401: not signed in. 403: the role does not permit
 * it. 404: it does not exist, or another organization owns it. 429: `Retry-After` says when to try
 * again. Methods other than GET accept only pages of this origin. Times are ISO 8601 in UTC.
 */

/** Bytes of a body with a prompt. */
const TEXT_LIMIT = 1024 * 1024;
/** Bytes of a body with the files of a folder. */
const FOLDER_LIMIT = 4 * 1024 * 1024;

export const ROUTES = {
  'GET /setup': { who: 'anybody', answer: people.SetupStatus },
  'POST /session': { who: 'anybody', body: people.SignIn, answer: people.Session },
  /** What a link offers: /dashboard/invitation#<token>. */
  'POST /invitation': { who: 'anybody', body: people.LinkToken, answer: people.InvitationView },
  /** Also the first run's link: /dashboard/setup#<token>. */
  'POST /invitation/accept': {
    who: 'anybody',
    body: people.AcceptInvitation,
    answer: people.Session,
  },
  /** With a one-time link: /dashboard/reset#<token>. */
  'POST /reset': { who: 'anybody', body: people.ResetPassword, answer: people.Session },
  /** Leads to the provider, which returns to /dashboard/sign-in/callback. */
  'POST /sign-on': { who: 'anybody', answer: people.SignOnBegun },
  'POST /sign-on/callback': {
    who: 'anybody',
    body: people.SignOnReturn,
    answer: people.SignOnAnswer,
  },
  /** After an answer that asks for it. */
  'POST /sign-on/confirm': {
    who: 'anybody',
    body: people.ConfirmSignOn,
    answer: people.Session,
  },

  'GET /session': { who: 'self', answer: people.Session },
  /** Signs out. */
  'DELETE /session': { who: 'self' },
  'GET /sessions': { who: 'self', answer: people.SessionList },
  'DELETE /sessions/:id': { who: 'self' },
  'GET /account': { who: 'self', answer: people.Account },
  /** Unlinks the provider. */
  'DELETE /account/sign-on': { who: 'self', answer: people.Account },
  'PATCH /profile': { who: 'self', body: people.ProfileChange, answer: people.Session },
  /** Ends the other sessions. */
  'POST /password': { who: 'self', body: people.ChangePassword },

  'GET /organizations': { who: 'manager', answer: organizations.OrganizationList },
  'POST /organizations': {
    who: 'manager',
    body: organizations.NewOrganization,
    answer: organizations.OrganizationMade,
    status: 201,
  },
  'PATCH /organizations/:organization': {
    who: 'owner',
    body: people.OrganizationChange,
    answer: people.Session,
  },
  'GET /organizations/:organization/members': { who: 'viewer', answer: people.MemberList },
  'PATCH /organizations/:organization/members/:userId': {
    who: 'owner',
    body: people.MemberChange,
    answer: people.MemberList,
  },
  'DELETE /organizations/:organization/members/:userId': {
    who: 'owner',
    answer: people.MemberList,
  },
  'POST /organizations/:organization/invitations': {
    who: 'owner',
    body: people.NewInvitation,
    answer: people.InvitationMade,
  },
  'DELETE /organizations/:organization/invitations/:id': {
    who: 'owner',
    answer: people.MemberList,
  },

  'GET /organizations/:organization/audit': {
    who: 'owner',
    query: AuditQuery,
    answer: AuditList,
  },

  'GET /organizations/:organization/usage': { who: 'viewer', query: UsageQuery, answer: Usage },
  'GET /organizations/:organization/repositories': {
    who: 'owner',
    answer: projects.RepositoryList,
  },
  'POST /organizations/:organization/projects': {
    who: 'owner',
    body: projects.NewProject,
    bodyLimit: FOLDER_LIMIT,
    answer: projects.Project,
    status: 201,
  },
  /** What a project on that source would begin with. Nothing is stored. */
  'POST /organizations/:organization/projects/preview': {
    who: 'owner',
    body: PreviewRequest,
    bodyLimit: FOLDER_LIMIT,
    answer: ProjectPreview,
  },
  'GET /projects/:projectId': { who: 'viewer', answer: projects.Project },
  'PATCH /projects/:projectId': {
    who: 'owner',
    body: projects.ProjectChange,
    answer: projects.Project,
  },
  'DELETE /projects/:projectId': { who: 'owner' },
  'GET /projects/:projectId/overview': {
    who: 'viewer',
    query: OverviewQuery,
    answer: Overview,
  },
  'GET /projects/:projectId/index': { who: 'viewer', answer: projects.IndexStatus },
  /** Indexes now. */
  'POST /projects/:projectId/index': { who: 'member', answer: projects.IndexStatus },
  'GET /projects/:projectId/keys': { who: 'viewer', answer: projects.KeyList },
  'POST /projects/:projectId/keys': {
    who: 'owner',
    body: projects.NewKey,
    answer: projects.KeyMade,
    status: 201,
  },
  'POST /projects/:projectId/keys/:id/rotate': {
    who: 'owner',
    body: projects.RotateKey,
    answer: projects.KeyMade,
  },
  'POST /projects/:projectId/keys/:id/revoke': { who: 'owner', answer: projects.KeyList },
  /** Body and stream of POST /discovery/v2/assistant/{domain}/message, without `fp`. */
  'POST /projects/:projectId/assistant': {
    who: 'viewer',
    body: PlaygroundBody,
    bodyLimit: 4 * 1024 * 1024,
    stream: true,
  },

  'GET /projects/:projectId/jobs': {
    who: 'viewer',
    query: jobs.JobListQuery,
    answer: jobs.JobList,
  },
  'POST /projects/:projectId/jobs': {
    who: 'member',
    body: changes.NewJob,
    bodyLimit: TEXT_LIMIT,
    answer: jobs.Job,
    status: 201,
  },
  'GET /projects/:projectId/jobs/:id': { who: 'viewer', answer: jobs.JobDetail },
  'GET /projects/:projectId/jobs/:id/messages': { who: 'viewer', answer: ConversationSchema },
  /** One step's, when a person opens a call: a job's results together are megabytes. */
  'GET /projects/:projectId/jobs/:id/steps/:turn/:step': {
    who: 'viewer',
    params: jobs.StepParams,
    answer: jobs.StepResults,
  },
  'GET /projects/:projectId/jobs/:id/diff': { who: 'viewer', answer: jobs.Diff },
  /**
   * Server-sent `JobEvent` (shared/jobs/job.ts), `id:` is its number; `event: text_delta` for text
   * while it is written. Ends when the job is idle; 204 if the job is idle and nothing comes after
   * Last-Event-ID.
   */
  'GET /projects/:projectId/jobs/:id/events': {
    who: 'viewer',
    query: jobs.EventsQuery,
    headers: jobs.EventsHeaders,
    stream: true,
  },
  'POST /projects/:projectId/jobs/:id/message': {
    who: 'member',
    body: changes.NewMessage,
    bodyLimit: TEXT_LIMIT,
    answer: jobs.Job,
  },
  /** Continues from an earlier step. */
  'POST /projects/:projectId/jobs/:id/rewind': {
    who: 'member',
    body: changes.RewindTo,
    bodyLimit: TEXT_LIMIT,
    answer: jobs.Job,
  },
  'POST /projects/:projectId/jobs/:id/cancel': { who: 'member', answer: jobs.Job },
  'POST /projects/:projectId/jobs/:id/archive': { who: 'member', answer: jobs.Job },

  ...GITHUB_ROUTES,
  ...UPLOAD_ROUTES,
  ...FIND_ROUTES,
  ...AUTOMATION_ROUTES,
  ...CONVENTION_ROUTES,
  ...FEEDBACK_ROUTES,
  ...QUESTION_ROUTES,
  ...REVIEW_ROUTES,
  ...SITE_ROUTES,
  ...WAITING_ROUTES,
  ...WEBHOOK_ROUTES,

  'GET /projects/:projectId/pulls': {
    who: 'viewer',
    query: jobs.PullRequestQuery,
    answer: jobs.PullRequestList,
  },
  'GET /projects/:projectId/pulls/:number': { who: 'viewer', answer: jobs.PullRequestDetail },
  'POST /projects/:projectId/pulls/:number/merge': { who: 'member', answer: jobs.PullRequest },
  'POST /projects/:projectId/pulls/:number/close': { who: 'member', answer: jobs.PullRequest },
} satisfies Record<`${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`, RouteEntry>;
