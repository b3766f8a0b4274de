import type { ConventionSuggestion } from '../../../api/dashboard/contract/conventions.ts';
import type { Job } from '../../../api/dashboard/contract/jobs.ts';
import type { KeyList, KeyMade } from '../../../api/dashboard/contract/projects/projects.ts';
import type { InvitationMade, MemberList } from '../../../api/dashboard/contract/people.ts';
import { listPageFeedback, savePageFeedback } from '../../../db/assistant/page-feedback.ts';
import type { WebhookMade } from '../../../api/dashboard/contract/webhooks.ts';
import { recordQuestion } from '../../../db/assistant/questions.ts';
import { saveMessages } from '../../../db/assistant/threads.ts';
import { newId } from '../../../shared/ids.ts';
import { type Route, SCOPED, title } from './contract.ts';
import { automationIn } from './audit-entries.ts';
import { type Browser, startDashboard, type TestDashboard } from './harness.ts';

// Whoever owns an organization passes every check of it. What they name below it must be of it,
// too.

/** Routes that name something inside the organization or project, and what that is. */
const NAMING = SCOPED.flatMap(route => {
  const [, kind = ''] = /\/(\w+)\/:(?:id|userId)\b/.exec(route.path) ?? [];
  return kind === '' ? [] : [{ kind, ...route }];
});
/** Valid bodies, by the path's last part: what is refused must be the id. */
const BODIES: Record<string, object> = {
  message: { prompt: 'x' },
  rewind: { turn: 1, step: 1 },
  comments: { file: 'docs/index.md', line: null, quote: '', text: 'x' },
  ':commentId': { resolved: true },
  ':id': { closed: true, paused: true, budget: 5, enabled: false, status: 'resolved' },
  rotate: { graceHours: 1 },
  approve: { turn: 1 },
  decline: { turn: 1 },
  job: { text: 'Obey me.' },
  ':userId': { role: 'viewer' },
};

let dashboard: TestDashboard;
let owner: Browser;
let stranger: Browser;
let theirs: Record<string, string>;
beforeAll(async () => {
  dashboard = await startDashboard({
    ENCRYPTION_KEY: 'a key of the tests, of more than 32 characters',
  });
  owner = await dashboard.signIn('owner@acme.test', 'owner');
  stranger = await dashboard.signIn(
    'owner@stranger.test',
    'owner',
    dashboard.stranger.organizationId,
  );
  const { project } = dashboard.tenant;
  const threadId = newId('thread');
  await saveMessages(
    dashboard.pool,
    { id: threadId, projectId: project.id, fp: 'anonymous' },
    [{ id: 'u', role: 'user', text: 'Why?' }],
    0,
  );
  await recordQuestion(dashboard.pool, {
    projectId: project.id,
    threadId,
    question: 'Why?',
    answered: false,
  });
  const {
    rows: [question],
  } = await dashboard.pool.query<{ id: string }>('select id from questions');
  await dashboard.pool.query(
    `insert into github_installations (id, organization_id, account) values (77, $1, 'acme')`,
    [dashboard.tenant.organizationId],
  );
  const {
    members: [member],
  } = await owner.json<MemberList>('GET', '/organizations/acme/members');
  theirs = {
    jobs: (
      await owner.json<Job>('POST', `/projects/${project.id}/jobs`, { prompt: 'Fix the title.' })
    ).id,
    keys: (
      await owner.json<KeyMade>('POST', `/projects/${project.id}/keys`, {
        kind: 'admin',
        name: 'theirs',
      })
    ).key.id,
    invitations: (
      await owner.json<InvitationMade>('POST', '/organizations/acme/invitations', {
        email: 'new@acme.test',
        role: 'viewer',
      })
    ).id,
    questions: question!.id,
    feedback: await giveFeedback(project.id),
    members: member!.userId,
    installations: '77',
    conventions: await suggestConvention(project.id),
    webhooks: (
      await owner.json<WebhookMade>('POST', '/organizations/acme/webhooks', {
        url: 'https://hooks.acme.test/',
        events: ['job.failed'],
      })
    ).webhook.id,
    automations: await automationIn(dashboard.pool, project.id),
  };
});

async function giveFeedback(projectId: string): Promise<string> {
  const { pool } = dashboard;
  const said = { path: '/', helpful: false, comment: 'No.', contact: null } as const;
  await savePageFeedback(pool, { ...said, projectId, fp: 'ada', source: 'contextual' });
  const [given] = await listPageFeedback(pool, projectId, { limit: 1 });
  return given!.id;
}

/** Two jobs whose reviewers asked for the same. */
async function suggestConvention(projectId: string): Promise<string> {
  for (const prompt of ['Edit the home page.', 'Edit the guide.']) {
    const { id } = await owner.json<Job>('POST', `/projects/${projectId}/jobs`, { prompt });
    await owner.json('POST', `/projects/${projectId}/jobs/${id}/message`, {
      prompt: 'Use sentence case in headings.',
    });
  }
  const { suggestions } = await owner.json<{ suggestions: ConventionSuggestion[] }>(
    'GET',
    `/projects/${projectId}/conventions`,
  );
  return suggestions[0]!.id;
}
afterAll(() => dashboard?.close());

const called = (
  by: Browser,
  { method, path }: Route,
  organization: string,
  projectId: string,
  id: string,
) =>
  by.call(
    method,
    path
      .replace(':organization', organization)
      .replace(':projectId', projectId)
      .replace(/:(id|userId)\b/, id)
      .replace(':turn/:step', '1/1')
      .replace(':commentId', 'cmt_unknown'),
    { body: BODIES[path.split('/').at(-1)!] ?? {} },
  );

it('names everything that such routes name', () => {
  expect(NAMING.length).toBeGreaterThan(12);
  expect([...new Set(NAMING.map(({ kind }) => kind))].toSorted()).toEqual(
    Object.keys(theirs).toSorted(),
  );
});

it('ids of another organization are unknown under a path of one’s own, and nothing happens to what they name', async () => {
  for (const route of NAMING) {
    const answer = await called(
      stranger,
      route,
      'stranger',
      dashboard.stranger.project.id,
      theirs[route.kind]!,
    );
    // To connect an installation takes GitHub's word, whosever it is.
    const expected =
      title(route) === 'POST /organizations/:organization/github/installations/:id' ? 403 : 404;
    expect([title(route), answer.statusCode]).toEqual([title(route), expected]);
  }
  const { members, invitations } = await owner.json<MemberList>(
    'GET',
    '/organizations/acme/members',
  );
  expect([
    members.find(({ userId }) => userId === theirs['members'])?.role,
    invitations.map(({ id }) => id),
  ]).toEqual(['owner', [theirs['invitations']]]);
  const { keys } = await owner.json<KeyList>(
    'GET',
    `/projects/${dashboard.tenant.project.id}/keys`,
  );
  expect(keys.find(({ id }) => id === theirs['keys'])).toMatchObject({
    state: 'valid',
    revokedAt: null,
  });
  const { rows } = await dashboard.pool.query(
    'select (select count(*)::int from jobs) as jobs, (select count(*)::int from instructions) as instructions, (select count(*)::int from conventions) as conventions, (select organization_id from github_installations) as installed, (select count(*)::int from webhook_endpoints where disabled_at is null and cardinality(old_secrets) = 0) as webhooks, (select count(*)::int from webhook_deliveries) as sent',
  );
  expect(rows).toEqual([
    {
      jobs: 3,
      instructions: 5,
      conventions: 0,
      installed: dashboard.tenant.organizationId,
      webhooks: 1,
      sent: 0,
    },
  ]);
});

it('are known under their own', async () => {
  for (const route of NAMING.filter(
    ({ method, kind }) => method === 'GET' && kind !== 'installations',
  )) {
    if (route.path.endsWith('/events')) continue; // a stream, until the job rests
    expect([
      title(route),
      (await called(owner, route, 'acme', dashboard.tenant.project.id, theirs[route.kind]!))
        .statusCode,
    ]).toEqual([title(route), 200]);
  }
  for (const [method, path] of [
    ['POST', `/projects/${dashboard.tenant.project.id}/keys/${theirs['keys']}/revoke`],
    ['DELETE', `/organizations/acme/invitations/${theirs['invitations']}`],
  ] as const) {
    expect((await owner.call(method, path, { body: {} })).statusCode).toBe(200);
  }
});
