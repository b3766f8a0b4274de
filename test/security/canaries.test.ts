import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { keepApp } from '../../hosts/github/stored-app.ts';
import { freePort } from '../../cli/embedded/ports.ts';
import { createKey } from '../../db/projects/keys.ts';
import { createSite } from '../api/assistant/harness.ts';
import { invite } from '../dashboard/api/harness.ts';
import { finish } from '../dashboard/api/scripted-replies.ts';
import { OidcProvider } from '../dashboard/oidc-provider.ts';
import { type GitHubJobStack, startGitHubJobStack } from '../hosts/github/job-stack.ts';
import { type RunningDocent, startDocent, temporaryFolder } from '../support/docent.ts';
import { settingsOf } from '../support/fork-worker.ts';
import { type JobCalls, jobCalls } from '../support/job-calls.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import { type Collector, startCollector } from '../support/otlp-collector.ts';
import { dumpOf } from '../support/services.ts';
import { until } from '../support/until.ts';
import { canary, documentedPlaces, presence, textOf } from './canaries.ts';

const SECRETS = {
  modelKey: canary('model-key'),
  modelToken: canary('model-token'),
  webhook: canary('webhook'),
  hostToken: canary('host-token'),
  signOn: canary('client-secret'),
  encryption: canary('encryption-key'),
  appClient: canary('app-client-secret'),
  password: canary('password'),
  wrongPassword: canary('wrong-password'),
  // Of a form that the policy knows.
  writtenByModel: `ghp_${randomBytes(27).toString('base64').replaceAll(/[+/]/g, 'x')}`,
};
const TEXTS = {
  beginning: canary('beginning'),
  prompt: canary('prompt'),
  question: canary('question'),
  comment: canary('comment'),
  page: canary('page'),
  privatePage: canary('private-page'),
  otherTenantsPage: canary('tenants-page'),
};
const PROMPT = `${TEXTS.beginning}: say opening. ${'The rest. '.repeat(50)} ${TEXTS.prompt}`;
const FILES = {
  'docs/index.md': '---\ntitle: Welcome\n---\n\n# Welcome\n\nThe first line.\n',
  'docs/setup.md': `---\ntitle: Setup\n---\n\nInstall ${TEXTS.page}.\n`,
  'docs/staff.md': `---\ntitle: Staff\ngroups: [staff]\n---\n\nInstall ${TEXTS.privatePage}.\n`,
};
const tool = (input: object): ScriptedReply => ({
  toolUses: [{ name: 'str_replace_based_edit_tool', input }],
});
const edit = (old_str: string, new_str: string) =>
  tool({ command: 'str_replace', path: 'docs/index.md', old_str, new_str });
const TURN = [
  tool({ command: 'view', path: 'docs/setup.md' }),
  edit('The first line.', `The token is ${SECRETS.writtenByModel}.`),
  edit('The first line.', 'The opening line.'),
  finish('Say opening'),
];

let stack: GitHubJobStack;
let api: RunningDocent;
let worker: RunningDocent;
let url: string;
let jobs: JobCalls;
let collector: Collector;
const provider = new OidcProvider();
beforeAll(async () => {
  await provider.start();
  collector = await startCollector();
  let failed = false;
  stack = await startGitHubJobStack({
    files: FILES,
    noWorker: true,
    script: ({ messages, tools }): ScriptedReply => {
      if (!JSON.stringify(tools ?? []).includes('"finish"')) return { text: 'Read the docs.' };
      if (failed)
        return (
          TURN[messages.filter(({ role }) => role === 'assistant').length] ?? { text: 'Done.' }
        );
      failed = true; // what is logged then, and stored, has seen the request
      return { status: 500, errorType: 'api_error', message: 'Out of order' };
    },
    env: {
      ANTHROPIC_API_KEY: SECRETS.modelKey,
      ANTHROPIC_AUTH_TOKEN: SECRETS.modelToken,
      // The App is in the database, as the dashboard stores it.
      ...{ GITHUB_APP_ID: '', GITHUB_APP_PRIVATE_KEY: '', GITHUB_WEBHOOK_SECRET: '' },
      ENCRYPTION_KEY: SECRETS.encryption,
      LOCAL_HOST_TOKEN: SECRETS.hostToken,
      ...provider.settings,
      OIDC_CLIENT_SECRET: SECRETS.signOn,
    },
  });
  const port = await freePort('127.0.0.1');
  url = `http://127.0.0.1:${port}`;
  const { DATA_DIR: _, ...settings } = settingsOf(stack);
  const env = {
    ...settings,
    LOG_LEVEL: 'trace',
    PORT: String(port),
    PUBLIC_URL: url,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  };
  const { appId, privateKey } = stack.github;
  await keepApp(stack.pool, SECRETS.encryption, {
    ...{ appId, privateKey, clientId: 'Iv23-docent', clientSecret: SECRETS.appClient },
    webhookSecret: SECRETS.webhook,
  });
  worker = startDocent(await temporaryFolder(), ['worker'], env);
  api = startDocent(await temporaryFolder(), ['api'], env);
  jobs = jobCalls(url, stack.adminKey, stack.project.id);
  await api.prints(/listening at/);
}, 60_000);
afterAll(async () => {
  for (const child of [worker, api]) child.process.kill('SIGTERM');
  await Promise.all([worker.ended, api.ended]);
  await stack.close();
  await provider.stop();
  await collector.close();
}, 60_000);

/** What each refusal answered. */
const refusals: string[] = [];
async function call(path: string, body: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(url + path, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', origin: url, ...headers },
  });
  const text = await answer.text();
  if (!answer.ok) refusals.push(text);
  return { status: answer.status, text, cookie: answer.headers.get('set-cookie') };
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** A comment that does not mention the agent. */
function deliver(secret: string) {
  const user = { login: 'ada', type: 'User' };
  const body = JSON.stringify({
    action: 'created',
    repository: { id: stack.repositoryOnGitHub.id, full_name: 'acme/docs' },
    sender: user,
    issue: { number: 1, pull_request: {} },
    comment: { id: 5, body: TEXTS.comment, user, created_at: new Date().toISOString() },
  });
  return call('/github/webhook', body, {
    'x-github-event': 'issue_comment',
    'x-github-delivery': randomUUID(),
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  });
}

const CREDENTIALS = { email: 'ada@acme.test', password: SECRETS.password };

/** A person who accepts an invitation, signs in and builds the index. */
async function useDashboard() {
  const { pool, project } = stack;
  const invitation = await invite(pool, project.organizationId, CREDENTIALS.email, 'member');
  const person = { token: invitation, name: 'Ada', password: SECRETS.password };
  expect((await call('/api/dashboard/invitation/accept', person)).status).toBe(200);
  const { status, cookie } = await call('/api/dashboard/session', CREDENTIALS);
  expect(status).toBe(200);
  const session = cookie!.split(';', 1)[0]!.replace(/^[^=]+=/, '');
  const signedIn = { cookie: cookie!.split(';', 1)[0]! };
  expect((await call('/api/dashboard/sign-on', {})).status).toBe(200);
  const index = `/api/dashboard/projects/${project.id}/index`;
  expect((await call(index, {}, signedIn)).status).toBe(200);
  await until('the site is indexed', async () => {
    const answer = await fetch(url + index, { headers: signedIn });
    const { built } = (await answer.json()) as { built: { complete: boolean } | null };
    return built?.complete === true;
  });
  return { invitation, session, signedIn };
}

function ask(domain: string, key: string) {
  const text = `How do I install ${TEXTS.question}?`;
  const messages = [{ id: 'u1', role: 'user', parts: [{ type: 'text', text }] }];
  const path = `/discovery/v2/assistant/${domain}/message`;
  return call(path, { fp: 'anonymous', messages }, bearer(key));
}

/** Requests that are refused for a secret in them, or beside one. */
async function beRefused(assistantKey: string, invitation: string, cookie: { cookie: string }) {
  const create = `/v2/agent/${stack.project.id}/job`;
  const { adminKey } = stack;
  const wrong = { ...CREDENTIALS, password: SECRETS.wrongPassword };
  for (const { status } of [
    await call(create, { prompt: 'x' }, bearer(assistantKey)),
    await call(create, { prompt: 7, key: adminKey }, bearer(adminKey)),
    await call(create, { prompt: 'x' }, { authorization: `Basic ${adminKey}` }),
    await call('/v2/agent/prj_none/job', { prompt: 'x' }, bearer(adminKey)),
    await ask('beta', assistantKey),
    await call('/api/dashboard/session', wrong),
    await call('/api/dashboard/invitation/accept', { token: invitation, name: 'x', password: 'x' }),
    await call('/api/dashboard/projects/prj_none/jobs', { prompt: 'x' }, cookie),
    await deliver('another'),
    await call('/git/docs/pulls', {}, bearer(SECRETS.hostToken)),
  ])
    expect(status).toBeGreaterThanOrEqual(400);
}

/** The histories of the job and of the indexing. */
async function histories(jobId: string): Promise<string> {
  const { workflow } = stack.temporal;
  const query = `TaskQueue = "${stack.config.TASK_QUEUE}"`;
  const ids = new Set<string>();
  await until('both workflows are listed', async () => {
    for await (const { workflowId } of workflow.list({ query })) ids.add(workflowId);
    return ids.has(jobId) && ids.size > 1;
  });
  const all = [...ids].map(id => workflow.getHandle(id).fetchHistory());
  return textOf(await Promise.all(all));
}

async function everythingWritten(jobId: string): Promise<Record<string, string>> {
  for (const name of ['activity reportTurn', /^POST .*\/assistant\/.*message$/])
    await until(`the collector has ${name}`, () =>
      collector.spans.some(span => span.name.match(name)),
    );
  const path = `/v2/agent/${stack.project.id}/job/${jobId}`;
  const read = async (rest: string) =>
    (await fetch(url + path + rest, { headers: bearer(stack.adminKey) })).text();
  return {
    Logs: api.output() + worker.output(),
    Temporal: await histories(jobId),
    Postgres: await dumpOf(stack.pool),
    Model: JSON.stringify(stack.model.requests.map(({ body }) => body)),
    Refusals: refusals.join('\n'),
    Job: (await Promise.all(['', '/events', '/messages', '/diff'].map(read))).join('\n'),
    Traces: collector.bodies.join('\n'),
  };
}

it('has each secret and each text only where the docs say', async () => {
  const { pool, project, adminKey, github } = stack;
  const { organizationId } = project;
  await createSite(pool, { 'docs/index.md': `Install ${TEXTS.otherTenantsPage}.\n` }, 'beta');
  const site = { organizationId, projectId: project.id, kind: 'assistant', name: 'site' } as const;
  const { token: assistantKey } = await createKey(pool, site);
  const { invitation, session, signedIn } = await useDashboard();
  expect((await deliver(SECRETS.webhook)).status).toBe(200);
  github.fail({ method: 'POST', path: /\/pulls$/, status: 502 });
  const job = await jobs.rest((await jobs.create(PROMPT)).id);
  expect(job).toMatchObject({ status: 'completed', prLink: expect.any(String) });
  expect((await ask('acme', assistantKey)).status).toBe(200);
  await beRefused(assistantKey, invitation, signedIn);

  const planted: Record<string, string[]> = {
    'The key and the token of the model': [SECRETS.modelKey, SECRETS.modelToken],
    'The key and the client secret of the GitHub App': [
      github.privateKey.split('\n')[1]!,
      SECRETS.appClient,
    ],
    'The encryption key': [SECRETS.encryption],
    'Tokens of repositories': github.state.tokens.map(({ value }) => value),
    'The webhook secret': [SECRETS.webhook],
    'The token of the built-in host': [SECRETS.hostToken],
    'The client secret of the sign-in provider': [SECRETS.signOn],
    Passwords: [SECRETS.password],
    'Wrong passwords': [SECRETS.wrongPassword],
    'API keys': [adminKey, assistantKey],
    'Sessions, invitations and links': [session, invitation],
    'Secrets that the model writes': [SECRETS.writtenByModel],
    'Comments that do not mention the agent': [TEXTS.comment],
    'The beginning of a prompt': [TEXTS.beginning],
    'The rest of a prompt': [TEXTS.prompt],
    'Questions of readers': [TEXTS.question],
    'Pages that a job or an answer reads': [TEXTS.page],
    'Other pages, and those of other organizations': [TEXTS.privatePage, TEXTS.otherTenantsPage],
  };
  expect(Object.values(planted).flat().length).toBeGreaterThanOrEqual(20);
  const written = await everythingWritten(job.id);
  const found = Object.entries(planted).map(([row, values]) => {
    expect([row, values.length > 0]).toEqual([row, true]);
    const cells = Object.entries(written).map(([place, text]) => {
      const kinds = new Set(values.map(value => presence(text, value)));
      return [place, [...kinds].join(' and ')] as const;
    });
    return [row, new Map(cells)] as const;
  });
  expect(new Map(found)).toEqual(documentedPlaces());
}, 120_000);
