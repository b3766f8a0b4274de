import type { Access } from '../../../api/dashboard/contract/routes/route-entry.ts';
import { ROUTES as DASHBOARD } from '../../../api/dashboard/contract/routes/routes.ts';

/**
 * Who may call a route. `link`: whoever has the address. `git`: as `host token`, in git's words.
 */
export type Group =
  'public' | 'link' | 'delivery' | 'host token' | 'git' | 'admin' | 'assistant' | Access;

export interface Row {
  who: Group;
  /**
   * How the answer to those begins who may: the handler's own, which nothing before it gives.
   */
  answer: string;
}

const NO_PULL = '404 Repository acme-docs has no pull request 999.';
const NO_AUTOMATION = '404 There is no such automation.';
const NO_WEBHOOK = '404 There is no such webhook.';
const NO_THREAD = '404 There is no such conversation.';
const NO_FEEDBACK = '404 There is no such feedback.';
const NO_SITE = '404 There are no such docs, or they are not public.';
/** Nobody listens: the reader reaches the built-in host over HTTP. */
const NO_HOST = '503 ';
const USED_LINK = '404 This link was already used or has expired.';
const NO_PROVIDER = '404 No sign-in provider is set up here.';
const row = (who: Group, answer: string): Row => ({ who, answer });

/** Who may call what is not in the dashboard's table. A route without a row fails. */
const OTHERS: Record<string, Row> = {
  'GET /healthz': row('public', '200'),
  'GET /readyz': row('public', '200'),
  'GET /openapi.json': row('public', '200'),
  'GET /reference': row('public', '302'),
  'GET /reference/': row('public', '302'),
  'GET /': row('public', '302'),
  'GET /dashboard': row('public', '200'),
  'GET /dashboard/*': row('public', '200'),
  'GET /widget.js': row('public', '200'),
  'GET /docs': row('public', '200'),
  'GET /docs/*': row('public', '200'),
  'GET /sites/:domain': row('public', '200'),
  'GET /sites/:domain/*': row('public', '200'),
  'POST /v2/agent/:projectId/job': row('admin', '201'),
  'POST /v2/agent/:projectId/upload': row('admin', '400 The file is not a PNG'),
  'POST /v2/agent/:projectId/job/:id/message': row(
    'admin',
    '409 The job does not wait for an answer.',
  ),
  'POST /v2/agent/:projectId/job/:id/cancel': row('admin', '200'),
  'POST /v2/agent/:projectId/job/:id/archive': row('admin', '200'),
  'POST /v2/agent/:projectId/job/:id/approve': row('admin', '400 turn must be in the address'),
  'POST /v2/agent/:projectId/job/:id/decline': row('admin', '400 turn must be in the address'),
  'PATCH /v2/agent/:projectId/job/:id': row('admin', '200'),
  'POST /v2/agent/:projectId/job/:id/rewind': row('admin', '400 step names no step'),
  'GET /v2/agent/:projectId/job/:id': row('admin', '200'),
  'GET /v2/agent/:projectId/jobs': row('admin', '200'),
  'GET /v2/agent/:projectId/job/:id/messages': row('admin', '200'),
  'GET /v2/agent/:projectId/job/:id/diff': row('admin', '200'),
  'GET /v2/agent/:projectId/job/:id/events': row('admin', '200'),
  'POST /v2/agent/:projectId/mcp': row('admin', '200'),
  'POST /v1/agent/:projectId/job': row('admin', '200'),
  'GET /v1/agent/:projectId/job/:id': row('admin', '200'),
  'GET /v1/agent/:projectId/jobs': row('admin', '200'),
  'GET /v1/workflow/:projectId': row('admin', '200'),
  'POST /v1/workflow/:projectId': row('admin', '400 There is no ready-made automation'),
  'GET /v1/workflow/:projectId/:automationId/runs': row('admin', NO_AUTOMATION),
  'POST /v1/workflow/:projectId/:automationId/trigger': row('admin', NO_AUTOMATION),
  'POST /v1/workflow/:projectId/:automationId/pause': row('admin', NO_AUTOMATION),
  'POST /v1/workflow/:projectId/:automationId/resume': row('admin', NO_AUTOMATION),
  'GET /v1/webhooks': row('admin', '200'),
  'POST /v1/webhooks': row('admin', '409 Set ENCRYPTION_KEY'),
  'PATCH /v1/webhooks/:webhookId': row('admin', NO_WEBHOOK),
  'DELETE /v1/webhooks/:webhookId': row('admin', NO_WEBHOOK),
  'POST /v1/webhooks/:webhookId/rotate': row('admin', '409 Set ENCRYPTION_KEY'),
  'GET /v1/webhooks/:webhookId/deliveries': row('admin', NO_WEBHOOK),
  'POST /v1/webhooks/:webhookId/test': row('admin', NO_WEBHOOK),
  'POST /v1/webhooks/:webhookId/resend': row('admin', NO_WEBHOOK),
  'GET /v1/analytics/:projectId/feedback': row('admin', '200'),
  'GET /v1/analytics/:projectId/feedback/by-page': row('admin', '200'),
  'PATCH /v1/analytics/:projectId/feedback/:feedbackId': row('admin', NO_FEEDBACK),
  'GET /v1/analytics/:projectId/questions': row('admin', '200'),
  'GET /v1/analytics/:projectId/questions/export': row('admin', '200'),
  'GET /v1/readers/:projectId': row('admin', '400 fp is required'),
  'DELETE /v1/readers/:projectId': row('admin', '400 fp is required'),
  'GET /v1/readers/:projectId/threads/:threadId': row('admin', NO_THREAD),
  'DELETE /v1/readers/:projectId/threads/:threadId': row('admin', NO_THREAD),
  'GET /git/:repository/merged': row('host token', '400 base is required'),
  'POST /discovery/v2/assistant/:domain/message': row('assistant', '200'),
  'POST /discovery/v1/assistant/:domain/message': row('assistant', '200'),
  'GET /discovery/v2/assistant/:domain/message': row('assistant', '204'),
  'GET /discovery/v2/assistant/:domain/message/:chatId/stream': row('assistant', '204'),
  'GET /discovery/v1/assistant/:domain/message': row('assistant', '204'),
  'GET /discovery/v1/assistant/:domain/thread/:threadId': row('assistant', NO_THREAD),
  'POST /discovery/v1/search/:domain': row('assistant', '200'),
  'POST /discovery/v1/page/:domain': row('assistant', '200'),
  'POST /discovery/v1/feedback/:domain': row('assistant', '404 There is no such answer.'),
  'POST /discovery/v1/mcp/:domain': row('assistant', '200'),
  'GET /discovery/v1/:domain/.well-known/mcp': row('assistant', '200'),
  'GET /discovery/v1/:domain/.well-known/mcp.json': row('assistant', '200'),
  'GET /discovery/v1/:domain/.well-known/mcp/server-card.json': row('assistant', '200'),
  'GET /discovery/v1/:domain/llms.txt': row('assistant', '200'),
  'GET /discovery/v1/:domain/llms-full.txt': row('assistant', '200'),
  'GET /discovery/v1/:domain/*': row('assistant', '200'),
  'GET /git/:repository': row('host token', '200'),
  'GET /git/:repository/commits': row('host token', '200'),
  'GET /git/:repository/merge-base': row('host token', '200'),
  'GET /git/:repository/pulls': row('host token', '200'),
  'POST /git/:repository/pulls': row('host token', '200'),
  'GET /git/:repository/pulls/:number': row('host token', '200'),
  'PATCH /git/:repository/pulls/:number': row('host token', '200'),
  'POST /git/:repository/pulls/:number/merge': row('host token', NO_PULL),
  'POST /git/:repository/pulls/:number/close': row('host token', NO_PULL),
  'GET /git/:repository/info/refs': row('git', '200'),
  'POST /git/:repository/git-upload-pack': row('git', '200'),
  'POST /git/:repository/git-receive-pack': row('git', '200'),
  'GET /pulls/:token': row('link', '200'),
  'GET /pulls/:token/pages': row('link', '503'),
  'POST /github/webhook': row('delivery', '200'),
};

/** What the dashboard's routes answer to those who may call them. */
const DASHBOARD_ANSWERS: Record<keyof typeof DASHBOARD, string> = {
  'GET /projects/:projectId/automations': '200',
  'POST /projects/:projectId/automations': '400 There is no ready-made automation',
  'GET /projects/:projectId/automations/:id/runs': NO_AUTOMATION,
  'POST /projects/:projectId/automations/:id/runs': NO_AUTOMATION,
  'PATCH /projects/:projectId/automations/:id': NO_AUTOMATION,
  'GET /organizations/:organization/webhooks': '200',
  'POST /organizations/:organization/webhooks': '409 Set ENCRYPTION_KEY',
  'PATCH /organizations/:organization/webhooks/:id': NO_WEBHOOK,
  'DELETE /organizations/:organization/webhooks/:id': NO_WEBHOOK,
  'POST /organizations/:organization/webhooks/:id/rotate': '409 Set ENCRYPTION_KEY',
  'GET /organizations/:organization/webhooks/:id/deliveries': NO_WEBHOOK,
  'POST /organizations/:organization/webhooks/:id/test': NO_WEBHOOK,
  'POST /organizations/:organization/webhooks/:id/resend': NO_WEBHOOK,
  'GET /setup': '200',
  'POST /session': '401 The e-mail address or the password is wrong.',
  'POST /invitation': USED_LINK,
  'POST /invitation/accept': USED_LINK,
  'POST /reset': USED_LINK,
  'POST /sign-on': NO_PROVIDER,
  'POST /sign-on/callback': NO_PROVIDER,
  'POST /sign-on/confirm': NO_PROVIDER,
  'GET /session': '200',
  'DELETE /session': '204',
  'GET /sessions': '200',
  'DELETE /sessions/:id': '404 There is no such session.',
  'GET /account': '200',
  'DELETE /account/sign-on': '200',
  'PATCH /profile': '200',
  'POST /password': '400 current is not your password.',
  'GET /organizations': '200',
  'POST /organizations': '201',
  'PATCH /organizations/:organization': '200',
  'GET /organizations/:organization/members': '200',
  'PATCH /organizations/:organization/members/:userId': '404 There is no such member.',
  'DELETE /organizations/:organization/members/:userId': '404 There is no such member.',
  'POST /organizations/:organization/invitations': '200',
  'DELETE /organizations/:organization/invitations/:id': '404 There is no such invitation.',
  'GET /organizations/:organization/audit': '200',
  'GET /organizations/:organization/github': '200',
  'POST /organizations/:organization/github/leave': '409 GitHub cannot be connected here',
  'POST /organizations/:organization/github/back': '403 This GitHub authorization was already used',
  'POST /organizations/:organization/github/installations/:id':
    '403 GitHub did not show you this installation',
  'DELETE /organizations/:organization/github/installations/:id':
    '404 There is no such installation.',
  'POST /organizations/:organization/github/app': '409 Set ENCRYPTION_KEY',
  'DELETE /organizations/:organization/github/app/:appId': '404 There is no such App',
  'GET /organizations/:organization/github/repositories': '409 GitHub is not set up',
  'GET /organizations/:organization/github/repository': '200',
  'GET /projects/:projectId/repository': '409 This project’s repository is on the built-in host',
  'GET /organizations/:organization/usage': '200',
  'GET /organizations/:organization/repositories': '200',
  'POST /organizations/:organization/projects': '201',
  'POST /organizations/:organization/projects/preview': '200',
  'GET /projects/:projectId': '200',
  'PATCH /projects/:projectId': '200',
  'DELETE /projects/:projectId': '204',
  'GET /projects/:projectId/overview': '200',
  'GET /projects/:projectId/index': '200',
  'POST /projects/:projectId/index': '200',
  'GET /projects/:projectId/keys': '200',
  'POST /projects/:projectId/keys': '201',
  'POST /projects/:projectId/keys/:id/rotate': '404 There is no such key.',
  'POST /projects/:projectId/keys/:id/revoke': '404 There is no such key.',
  'GET /projects/:projectId/feedback': '200',
  'PATCH /projects/:projectId/feedback/:id': NO_FEEDBACK,
  'POST /projects/:projectId/feedback/:id/job': NO_FEEDBACK,
  'GET /projects/:projectId/questions': '200',
  'GET /projects/:projectId/questions/report': '200',
  'GET /projects/:projectId/questions/export': '200',
  'PATCH /projects/:projectId/questions/:id': '404 There is no such question.',
  'GET /projects/:projectId/conventions': '200',
  'POST /projects/:projectId/conventions/:id/job':
    '404 There is no such suggestion, or someone has decided it.',
  'DELETE /projects/:projectId/conventions/:id':
    '404 There is no such suggestion, or someone has decided it.',
  'POST /projects/:projectId/questions/:id/job': '404 There is no such question.',
  'POST /projects/:projectId/assistant': '200',
  'GET /organizations/:organization/jobs': '200',
  'GET /organizations/:organization/job-filters': '200',
  'GET /organizations/:organization/find': '200',
  'GET /projects/:projectId/jobs': '200',
  'POST /projects/:projectId/uploads': '400 The file is not a PNG',
  'POST /projects/:projectId/jobs': '201',
  'GET /projects/:projectId/jobs/:id': '200',
  'GET /projects/:projectId/jobs/:id/messages': '200',
  'GET /projects/:projectId/jobs/:id/steps/:turn/:step': '200',
  'GET /projects/:projectId/jobs/:id/diff': '200',
  'GET /projects/:projectId/jobs/:id/events': '204',
  'POST /projects/:projectId/jobs/:id/message': '409 The job does not wait for an answer.',
  'GET /projects/:projectId/jobs/:id/comments': '200',
  'POST /projects/:projectId/jobs/:id/comments': '201',
  'POST /projects/:projectId/jobs/:id/comments/send': '409 No comment is open.',
  'PATCH /projects/:projectId/jobs/:id/comments/:commentId': '404 There is no such comment.',
  'DELETE /projects/:projectId/jobs/:id/comments/:commentId': '404 There is no such comment.',
  'POST /projects/:projectId/jobs/:id/approve': '409 The job does not wait for approval.',
  'POST /projects/:projectId/jobs/:id/decline': '409 The job does not wait for approval.',
  'PATCH /projects/:projectId/jobs/:id': '200',
  'POST /projects/:projectId/jobs/:id/rewind': '400 step names no step',
  'POST /projects/:projectId/jobs/:id/cancel': '200',
  'POST /projects/:projectId/jobs/:id/archive': '200',
  'GET /projects/:projectId/pulls': '200',
  'GET /projects/:projectId/pulls/:number': '200',
  'GET /projects/:projectId/pulls/:number/page': NO_HOST,
  'GET /projects/:projectId/pulls/:number/text': NO_HOST,
  'GET /projects/:projectId/site': NO_HOST,
  'GET /projects/:projectId/site/page': NO_HOST,
  'GET /projects/:projectId/site/search': NO_HOST,
  'GET /projects/:projectId/site/image': NO_HOST,
  'GET /sites/:domain': NO_SITE,
  'GET /sites/:domain/page': NO_SITE,
  'GET /sites/:domain/search': NO_SITE,
  'GET /sites/:domain/image': NO_SITE,
  'POST /projects/:projectId/pulls/:number/merge': NO_PULL,
  'POST /projects/:projectId/pulls/:number/close': NO_PULL,
};

const inDashboard = Object.entries<{ who: Access }>(DASHBOARD).map(([name, { who }]) => [
  name.replace(' ', ' /api/dashboard'),
  row(who, DASHBOARD_ANSWERS[name as keyof typeof DASHBOARD]),
]);

/** Of every route. The one that ends the callers' sessions comes last. */
export const ROWS: Record<string, Row> = Object.fromEntries(
  [...Object.entries(OTHERS), ...inDashboard].toSorted(
    ([a], [b]) =>
      Number(a === 'DELETE /api/dashboard/session') - Number(b === 'DELETE /api/dashboard/session'),
  ),
);
