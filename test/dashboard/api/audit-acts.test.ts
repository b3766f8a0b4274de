import type { AppManifest } from '../../../api/dashboard/contract/github.ts';
import { buildApi } from '../../../api/app.ts';
import { AUDIT_ACTIONS } from '../../../db/audit/audit-actions.ts';
import type {
  InvitationMade,
  MemberList,
  SignOnAnswer,
  SignOnBegun,
} from '../../../api/dashboard/contract/people.ts';
import type { KeyMade, Project } from '../../../api/dashboard/contract/projects/projects.ts';
import { createHostedRepository, type HostedRepository } from '../../support/local-pull-request.ts';
import { testTemporal } from '../../support/services.ts';
import {
  automationIn,
  deleteReaderIn,
  ignoreEmpty,
  newEntries,
  printedBy,
  READER_ENTRIES,
  WEBHOOK_ACTIONS,
  webhookActs,
} from './audit-entries.ts';
import { until } from '../../support/until.ts';
import { OidcProvider } from '../oidc-provider.ts';
import { type GitHubDashboard, NO_APP, startGitHubDashboard } from './github-harness.ts';
import { type Browser, PASSWORD, tokenOf } from './harness.ts';

const OWNER = 'owner@acme.test';
const NEXT = 'another horse battery';
const FILES = { 'docs/index.md': '# Welcome\n', 'docs/a.md': '# A\n', 'docs/b.md': '# B\n' };
const ROUTES = '/organizations/acme';
const ENCRYPTION_KEY = 'a key of the tests, of more than 32 characters';

let provider: OidcProvider;
let dashboard: GitHubDashboard;
let owner: Browser;
let env: Record<string, string>;
let repository: HostedRepository;
/** What an act leaves for the acts after it. */
const made: Record<string, string> = {};
beforeAll(async () => {
  provider = await new OidcProvider().start();
  dashboard = await startGitHubDashboard({ ...provider.settings, ...NO_APP, ENCRYPTION_KEY });
  owner = await dashboard.signIn(OWNER, 'owner');
  const { config, tenant, app } = dashboard;
  const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 });
  env = {
    DATABASE_URL: config.DATABASE_URL!,
    TEMPORAL_ADDRESS: testTemporal().address,
    TASK_QUEUE: config.TASK_QUEUE,
    GITHUB_API_URL: config.GITHUB_API_URL,
    ENCRYPTION_KEY,
    PUBLIC_URL: 'http://docent.test',
    DATA_DIR: config.DATA_DIR,
    LOCAL_HOST_URL: baseUrl,
    LOCAL_HOST_TOKEN: config.LOCAL_HOST_TOKEN!,
  };
  repository = await createHostedRepository(dashboard, tenant.project.repository, FILES);
}, 60_000);
afterAll(async () => {
  await dashboard.close();
  await provider.stop();
});

/** What a command of `docent` prints. */
const docent = (...args: string[]) => printedBy(env, args);

const id = () => dashboard.tenant.project.id;
async function userIdOf(email: string): Promise<string> {
  const { members } = await owner.json<MemberList>('GET', `${ROUTES}/members`);
  return members.find(each => each.email === email)!.userId;
}
async function invite(email: string): Promise<InvitationMade> {
  return owner.json('POST', `${ROUTES}/invitations`, { email, role: 'viewer' });
}
type Route = (job: string) => Promise<{ statusCode: number }>;
/** Calls a route with an idle job. */
async function idle(route: Route): Promise<void> {
  const { id: job } = await dashboard.createJob();
  await dashboard.restJob(job);
  expect((await route(job)).statusCode).toBe(200);
}
/** Calls a route with an idle job that waits for an approval. */
async function waiting(route: Route): Promise<void> {
  const { id: job } = await dashboard.createJob();
  await dashboard.restJob(job);
  await dashboard.pool.query(`update jobs set waiting_for = 'approval', turns = 1 where id = $1`, [
    job,
  ]);
  expect((await route(job)).statusCode).toBeLessThan(300);
}
/** Calls a route that archives one, with what a worker would write. */
async function archive(route: Route): Promise<void> {
  await idle(async job => {
    const answer = route(job);
    const requested = `select 1 from audit_log where action = 'job.archive_requested' and subject_id = $1`;
    await until('it is requested', async () => {
      return (await dashboard.pool.query(requested, [job])).rowCount === 1;
    });
    await dashboard.pool.query('update jobs set archived_at = now() where id = $1', [job]);
    return answer;
  });
}
/** A pull request of its own, and its number. */
async function pull(path: string): Promise<string> {
  made['pulls'] = String(Number(made['pulls'] ?? 0) + 1);
  return String((await repository.open(`docent/${made['pulls']}`, path)).number);
}

/** The acts of a group, in order: what happens, and what the log has of it, no more. */
type Acts = Record<string, [act: () => Promise<unknown>, ...entries: string[]]>;

const PEOPLE: Acts = {
  'signing in': [
    () => owner.json('POST', '/session', { email: OWNER, password: PASSWORD }),
    `sign_in.succeeded user ${OWNER}`,
  ],
  'a wrong password': [
    () => dashboard.browser().call('POST', '/session', { body: { email: OWNER, password: 'x' } }),
    `sign_in.failed anybody ${OWNER}`,
  ],
  'a new password': [
    () => owner.json('POST', '/password', { current: PASSWORD, next: NEXT }).catch(ignoreEmpty),
    `password.changed user ${OWNER}`,
  ],
  'docent user link': [
    async () => {
      made['link'] = await docent('user', 'link', OWNER);
    },
    `user.link_created operator ${OWNER}`,
  ],
  'a password by link': [
    () => owner.json('POST', '/reset', { token: made['link']!.split('#')[1], password: NEXT }),
    `password.reset user ${OWNER}`,
    `sign_in.succeeded user ${OWNER}`,
  ],
  'linking a provider': [
    linkProvider,
    `sign_on.linked user ${OWNER}`,
    `sign_in.succeeded user ${OWNER}`,
  ],
  'unlinking it': [
    () => owner.json('DELETE', '/account/sign-on'),
    `sign_on.unlinked user ${OWNER}`,
  ],
  'an invitation': [
    async () => {
      made['invitation'] = tokenOf(await invite('ada@acme.test'));
    },
    `invitation.created user ${OWNER} ada@acme.test`,
  ],
  'accepting it': [
    () =>
      dashboard.browser().json('POST', '/invitation/accept', {
        token: made['invitation'],
        name: 'Ada',
        password: PASSWORD,
      }),
    'member.joined user ada@acme.test',
    'sign_in.succeeded user ada@acme.test',
  ],
  'an invitation, accepted through the provider': [
    async () => {
      await invite('bob@acme.test');
      await signOn('bob@acme.test');
    },
    `invitation.created user ${OWNER} bob@acme.test`,
    'member.joined user bob@acme.test',
    'sign_on.linked user bob@acme.test',
    'sign_in.succeeded user bob@acme.test',
  ],
  'docent user invite': [
    () => docent('user', 'invite', 'cid@acme.test', '--organization', 'acme'),
    'invitation.created operator cid@acme.test',
  ],
  'taking an invitation back': [
    async () => {
      const { invitations } = await owner.json<MemberList>('GET', `${ROUTES}/members`);
      const { id: invitation } = invitations.find(({ email }) => email === 'cid@acme.test')!;
      await owner.json('DELETE', `${ROUTES}/invitations/${invitation}`);
    },
    `invitation.withdrawn user ${OWNER} cid@acme.test`,
  ],
  'a new role': [
    async () =>
      owner.json('PATCH', `${ROUTES}/members/${await userIdOf('ada@acme.test')}`, {
        role: 'member',
      }),
    `member.role_changed user ${OWNER} ada@acme.test`,
  ],
  'removing a member': [
    async () => owner.json('DELETE', `${ROUTES}/members/${await userIdOf('ada@acme.test')}`),
    `member.removed user ${OWNER} ada@acme.test`,
  ],
  'docent user remove': [
    () => docent('user', 'remove', 'bob@acme.test'),
    'user.removed operator bob@acme.test',
  ],
};

const SETTINGS: Acts = {
  'a new name of the organization': [
    () => owner.json('PATCH', ROUTES, { name: 'Acme Ltd' }),
    `organization.renamed user ${OWNER}`,
  ],
  'another organization': [
    () =>
      owner.json('POST', '/organizations', {
        slug: 'beta',
        name: 'Beta',
        owner: 'first@beta.test',
      }),
    `organization.created user ${OWNER} beta`,
    `invitation.created user ${OWNER} first@beta.test`,
  ],
  'docent organization create': [
    () => docent('organization', 'create', 'gamma'),
    'organization.created operator gamma',
  ],
  'a key': [
    async () => {
      const { key } = await owner.json<KeyMade>('POST', `/projects/${id()}/keys`, {
        kind: 'admin',
        name: 'CI',
      });
      made['key'] = key.id;
    },
    `key.created user ${OWNER} CI`,
  ],
  'rotating it': [
    () => owner.json('POST', `/projects/${id()}/keys/${made['key']}/rotate`, { graceHours: 1 }),
    `key.rotated user ${OWNER} CI`,
  ],
  'revoking it': [
    () => owner.json('POST', `/projects/${id()}/keys/${made['key']}/revoke`),
    `key.revoked user ${OWNER} CI`,
  ],
  'docent key create': [
    async () => {
      await docent('key', 'create', '--kind', 'admin', '--organization', 'acme', '--name', 'shell');
      const { rows } = await dashboard.pool.query<{ id: string }>(
        "select id from api_keys where name = 'shell'",
      );
      made['key'] = rows[0]!.id;
    },
    'key.created operator shell',
  ],
  'docent key revoke': [
    () => docent('key', 'revoke', made['key']!, '--organization', 'acme'),
    'key.revoked operator',
  ],
  'creating the GitHub App': [createApp, `host.app_created user ${OWNER} docent`],
  'connecting GitHub': [connectGitHub, `host.connected user ${OWNER} account`],
  'disconnecting it': [
    () => owner.json('DELETE', `${ROUTES}/github/installations/${made['installation']}`),
    `host.disconnected user ${OWNER} account`,
  ],
  'docent github connect': [
    () => docent('github', 'connect', made['installation']!, '--organization', 'acme'),
    'host.connected operator account',
  ],
  'docent github disconnect': [
    () => docent('github', 'disconnect', made['installation']!, '--organization', 'acme'),
    'host.disconnected operator account',
  ],
  'removing the App': [
    () => owner.json('DELETE', `${ROUTES}/github/app/7`),
    `host.app_removed user ${OWNER}`,
  ],
  'a project': [
    async () => {
      const project = await owner.json<Project>('POST', `${ROUTES}/projects`, {
        name: 'Second',
        domain: 'second',
        source: { type: 'existing', repository: repository.name },
      });
      made['project'] = project.id;
    },
    `project.created user ${OWNER} second`,
  ],
  'its settings': [
    () => owner.json('PATCH', `/projects/${made['project']}`, { name: '2nd' }),
    `project.changed user ${OWNER} second`,
  ],
  'its end': [
    () => owner.call('DELETE', `/projects/${made['project']}`),
    `project.deleted user ${OWNER} second`,
  ],
  'docent project add': [
    () =>
      docent(
        ...['project', 'add', 'third', '--repository', repository.name],
        ...['--organization', 'acme'],
      ),
    'project.created operator third',
  ],
  'docent project set': [
    () =>
      docent('project', 'set', 'third', '--organization', 'acme', '--site-url', 'https://a.test'),
    'project.changed operator third',
  ],
  'docent project delete': [
    () => docent('project', 'delete', 'third', '--organization', 'acme'),
    'project.deleted operator third',
  ],
};

const WORK: Acts = {
  'merging in the dashboard': [
    async () =>
      owner.json('POST', `/projects/${id()}/pulls/${await pull('docs/index.md')}/merge`, {}),
    `pull_request.merge_requested user ${OWNER} acme-docs#1`,
    `pull_request.merged user ${OWNER} acme-docs#1`,
  ],
  'closing in the dashboard': [
    async () => owner.json('POST', `/projects/${id()}/pulls/${await pull('docs/a.md')}/close`, {}),
    `pull_request.close_requested user ${OWNER} acme-docs#2`,
    `pull_request.closed user ${OWNER} acme-docs#2`,
  ],
  'docent pr merge': [
    async () => docent('pr', 'merge', await pull('docs/a.md'), repository.name),
    'pull_request.merge_requested operator acme-docs#3',
    'pull_request.merged operator acme-docs#3',
  ],
  'docent pr close': [
    async () => docent('pr', 'close', await pull('docs/b.md'), repository.name),
    'pull_request.close_requested operator acme-docs#4',
    'pull_request.closed operator acme-docs#4',
  ],
  'cancelling in the dashboard': [
    () => idle(job => owner.call('POST', `/projects/${id()}/jobs/${job}/cancel`)),
    `job.cancel_requested user ${OWNER}`,
    `job.cancelled user ${OWNER}`,
  ],
  'archiving in the dashboard': [
    () => archive(job => owner.call('POST', `/projects/${id()}/jobs/${job}/archive`)),
    `job.archive_requested user ${OWNER}`,
    `job.archived user ${OWNER}`,
  ],
  'cancelling with a key': [
    () => idle(job => dashboard.call('POST', `${dashboard.base}/job/${job}/cancel`)),
    'job.cancel_requested key',
    'job.cancelled key',
  ],
  'archiving with a key': [
    () => archive(job => dashboard.call('POST', `${dashboard.base}/job/${job}/archive`)),
    'job.archive_requested key',
    'job.archived key',
  ],
  'running an automation in the dashboard': [
    async () => owner.json('POST', `/projects/${id()}/automations/${await automation()}/runs`, {}),
    `automation.run user ${OWNER} Weekly`,
  ],
  'pausing it and resuming it with a key': [
    async () => {
      const at = `/v1/workflow/${id()}/${await automation()}`;
      for (const verb of ['pause', 'resume']) await dashboard.call('POST', `${at}/${verb}`);
    },
    'automation.paused key Weekly',
    'automation.resumed key Weekly',
  ],
  'conversations of a reader': [() => deleteReaderIn(dashboard), ...READER_ENTRIES],
  'a webhook in the dashboard': [
    () => webhookActs((...of) => owner.call(of[0], `${ROUTES}${of[1]}`, { body: of[2] })),
    ...WEBHOOK_ACTIONS.map(each => `${each} user ${OWNER} https://hooks.acme.test`),
  ],
  'a webhook with a key': [
    () => webhookActs((...of) => dashboard.call(of[0], `/v1${of[1]}`, { body: of[2] })),
    ...WEBHOOK_ACTIONS.map(each => `${each} key https://hooks.acme.test`),
  ],
  'changing a budget with a key': [
    () =>
      idle(job => dashboard.call('PATCH', `${dashboard.base}/job/${job}`, { body: { budget: 5 } })),
    'job.budget_changed key',
  ],
  'approving with a key': [
    () => waiting(job => dashboard.call('POST', `${dashboard.base}/job/${job}/approve`)),
    'job.approved key',
  ],
  'declining in the dashboard': [
    () =>
      waiting(job =>
        owner.call('POST', `/projects/${id()}/jobs/${job}/decline`, { body: { turn: 1 } }),
      ),
    `job.declined user ${OWNER}`,
  ],
  'archiving while no worker runs': [
    () => idle(job => dashboard.call('POST', `${dashboard.base}/job/${job}/archive`)),
    'job.archive_requested key',
  ],
  'cancelling while no worker runs': [
    async () => {
      const job = await dashboard.createJob();
      await dashboard.call('POST', `${dashboard.base}/job/${job.id}/cancel`);
    },
    'job.cancel_requested key',
  ],
};

const automation = () => automationIn(dashboard.pool, id());

async function signOn(email: string): Promise<SignOnAnswer> {
  provider.people.set(email, { sub: email, email, email_verified: true, name: email });
  const browser = email === OWNER ? owner : dashboard.browser();
  const { url } = await browser.json<SignOnBegun>('POST', '/sign-on');
  return browser.json('POST', '/sign-on/callback', { query: await provider.visit(url, email) });
}

async function linkProvider(): Promise<void> {
  expect(await signOn(OWNER)).toEqual({ confirm: OWNER });
  await owner.json('POST', '/sign-on/confirm', { password: NEXT });
}

async function createApp(): Promise<void> {
  const begun = await owner.json<AppManifest>('POST', `${ROUTES}/github/app`, {});
  await owner.json('POST', `${ROUTES}/github/back`, await dashboard.createsApp(begun));
}

async function connectGitHub(): Promise<void> {
  const docs = dashboard.github.addRepository('account/docs', {});
  docs.roles = { ada: 'write' };
  made['installation'] = String(dashboard.github.install([docs]));
  await dashboard.connect(owner);
}

const ACTS = { ...PEOPLE, ...SETTINGS, ...WORK };

it('has each act once, from every door, and nothing beside it', async () => {
  const before = new Set<string>();
  await newEntries(dashboard.pool, before);
  const log: Record<string, string[]> = {};
  for (const [name, [act]] of Object.entries(ACTS)) {
    await act();
    log[name] = (await newEntries(dashboard.pool, before)).toSorted();
  }
  const wanted = Object.entries(ACTS).map(([name, [, ...entries]]) => [name, entries.toSorted()]);
  expect(log).toEqual(Object.fromEntries(wanted));
}, 120_000);

it('is tried with an act for each action that can be in the log', () => {
  const tried = Object.values(ACTS).flatMap(([, ...entries]) => entries);
  const actions = new Set(tried.map(entry => entry.split(' ')[0]));
  expect(actions).toEqual(new Set(AUDIT_ACTIONS));
});

it('is exported as JSON lines, each entry once', async () => {
  const lines = (await docent('audit', '--json')).split('\n');
  const { rows } = await dashboard.pool.query('select id from audit_log order by id');
  expect(lines.map(line => ({ id: (JSON.parse(line) as { id: string }).id }))).toEqual(rows);
});

it('loses what is older than AUDIT_RETENTION_DAYS when a server starts', async () => {
  const { pool, temporal, config } = dashboard;
  const kept = async () =>
    (await pool.query<{ id: string }>("select id from audit_log where id like 'aud_of_%'")).rows;
  await pool.query(
    `insert into audit_log (id, action, actor_kind, at)
     values ('aud_of_31', 'key.revoked', 'operator', now() - interval '31 days'),
            ('aud_of_29', 'key.revoked', 'operator', now() - interval '29 days')`,
  );
  const app = await buildApi({ config: { ...config, AUDIT_RETENTION_DAYS: 30 }, pool, temporal });
  await app.listen({ host: '127.0.0.1', port: 0 });
  await until('the older entry is deleted', async () => (await kept()).length < 2);
  await app.close();
  expect(await kept()).toEqual([{ id: 'aud_of_29' }]);
});
