import type {
  BackFromGitHub,
  GitHubAddress,
  GitHubReturned,
} from '../../../api/dashboard/contract/github.ts';
import type { Fault, Repository } from '../../hosts/github/state.ts';
import { dumpOf } from '../../support/services.ts';
import { type GitHubDashboard, startGitHubDashboard } from './github-harness.ts';
import type { Browser } from './harness.ts';

let dashboard: GitHubDashboard;
let owner: Browser;
let stranger: Browser;
let count = 0;
beforeAll(async () => {
  dashboard = await startGitHubDashboard();
  owner = await dashboard.signIn('owner@acme.test', 'owner');
  stranger = await dashboard.signIn(
    'owner@stranger.test',
    'owner',
    dashboard.stranger.organizationId,
  );
});
afterAll(() => dashboard.close());
beforeEach(async () => {
  dashboard.github.state.installations.length = 0;
  dashboard.github.state.faults.length = 0;
  for (const table of ['github_installations', 'github_proofs', 'github_ways'])
    await dashboard.pool.query(`delete from ${table}`);
});

/** An installation on an account of its own, whose first repository `ada` may write to. */
function installed(repositories = 1): { account: string; id: number; repositories: Repository[] } {
  const account = `account-${(count += 1)}`;
  const made = Array.from({ length: repositories }, (_, i) =>
    dashboard.github.addRepository(`${account}/docs-${i}`, {}),
  );
  for (const each of made) each.roles = { ada: 'write' };
  return { account, id: dashboard.github.install(made), repositories: made };
}

const leave = (browser = owner, to = 'authorize', organization = 'acme') =>
  browser.json<GitHubAddress>('POST', `/organizations/${organization}/github/leave`, { to });
const back = (body: object, browser = owner, organization = 'acme') =>
  browser.call('POST', `/organizations/${organization}/github/back`, { body });
const claim = (id: number, browser = owner, organization = 'acme') =>
  browser.call('POST', `/organizations/${organization}/github/installations/${id}`);
const owned = async () =>
  (
    await dashboard.pool.query<{ id: number; organization: string }>(
      'select id, organization_id as organization from github_installations order by id',
    )
  ).rows;
const exchanges = () =>
  dashboard.github.state.requests.filter(each => each.endsWith('/login/oauth/access_token')).length;

describe('the way to GitHub and back', () => {
  it('gives an installation to the organization of the user who proved access, and keeps nothing of theirs', async () => {
    const { account, id } = installed(2);
    expect(await dashboard.connection(owner)).toEqual({
      by: 'app',
      problem: null,
      callbackUrl: 'http://docent.test/dashboard/-/github',
      canConnect: true,
      canCreateApp: false,
      storedApp: null,
      installations: [],
      shown: [],
    });
    const { url } = await leave();
    expect(url).toMatch(
      /\/login\/oauth\/authorize\?client_id=Iv23-docent&redirect_uri=http%3A%2F%2Fdocent.test%2Fdashboard%2F-%2Fgithub&state=acme\.[\w-]{43}&code_challenge=[\w-]{43}&code_challenge_method=S256$/,
    );
    const answer = await dashboard.onGitHub({ url });
    const returned = (await back(answer)).json<GitHubReturned>();
    expect(
      await owner.json('GET', '/organizations/acme/audit?action=host.connected'),
    ).toMatchObject({
      entries: [
        {
          actor: { name: 'owner@acme.test' },
          subject: { kind: 'installation', id: String(id), name: account },
        },
      ],
    });
    expect(returned).toEqual({
      continueAt: null,
      connected: account,
    });
    expect(await owned()).toEqual([{ id, organization: dashboard.tenant.organizationId }]);
    expect(await dashboard.connection(owner)).toMatchObject({
      installations: [{ id, account, problem: null }],
      shown: [],
    });

    const token = dashboard.github.state.tokens.find(each => each.value.startsWith('ghu_'))!;
    expect(token.revoked).toBe(true);
    const dump = await dumpOf(dashboard.pool);
    expect(dump).toContain(account); // it is a dump of the right database
    for (const secret of [
      token.value,
      answer.code!,
      answer.state.split('.')[1]!,
      dashboard.github.state.people.clientSecret,
    ])
      expect(dump).not.toContain(secret);
  });

  it('is good once', async () => {
    installed();
    const answer = await dashboard.onGitHub(await leave());
    expect((await back(answer)).statusCode).toBe(200);
    await dashboard.pool.query('delete from github_installations');
    const before = exchanges();
    const again = await back(answer);
    expect([again.statusCode, again.json().error]).toEqual([
      403,
      'This GitHub authorization was already used, has expired, or started in another browser: connect again.',
    ]);
    expect([await owned(), exchanges()]).toEqual([[], before]);
  });

  it.each<[string, () => Promise<{ state: string; browser?: Browser; organization?: string }>]>([
    ['was never begun', async () => ({ state: `acme.${'x'.repeat(43)}` })],
    ['names nothing', async () => ({ state: 'acme.' })],
    [
      'was begun in another browser of the same person',
      async () => {
        const elsewhere = dashboard.browser();
        await elsewhere.json('POST', '/session', {
          email: 'owner@acme.test',
          password: 'correct horse battery',
        });
        return { state: stateOf(await leave(elsewhere)) };
      },
    ],
    [
      'was begun by somebody else, for their organization',
      async () => ({ state: stateOf(await leave(stranger, 'authorize', 'stranger')) }),
    ],
    [
      'is taken by somebody else',
      async () => ({ state: stateOf(await leave()), browser: stranger, organization: 'stranger' }),
    ],
    [
      'has run out',
      async () => {
        const state = stateOf(await leave());
        await dashboard.pool.query(
          "update github_ways set expires_at = now() - interval '1 second'",
        );
        return { state };
      },
    ],
    [
      'ended with its session',
      async () => {
        const state = stateOf(await leave());
        await owner.call('DELETE', '/session');
        owner = dashboard.browser();
        await owner.json('POST', '/session', {
          email: 'owner@acme.test',
          password: 'correct horse battery',
        });
        return { state };
      },
    ],
  ])('leads nowhere where it %s', async (_, arrange) => {
    installed();
    const { code } = await dashboard.onGitHub(await leave());
    const { state, browser, organization } = await arrange();
    const before = exchanges();
    expect((await back({ state, code }, browser, organization)).statusCode).toBe(403);
    expect([await owned(), exchanges()]).toEqual([[], before]);
  });

  it('takes no code twice, and none that was made for another way', async () => {
    installed();
    const used = await dashboard.onGitHub(await leave());
    await back(used);
    const stolen = await dashboard.onGitHub(await leave(stranger, 'authorize', 'stranger'));
    await dashboard.pool.query('delete from github_installations');
    for (const { code } of [used, stolen]) {
      const answer = await back({ state: stateOf(await leave()), code });
      expect([answer.statusCode, answer.json().error]).toEqual([
        409,
        'GitHub no longer accepts the code that it sent: connect again.',
      ]);
    }
    expect((await back({ state: stateOf(await leave()) })).json().error).toMatch(
      /sent no code: connect again/,
    );
    expect(await owned()).toEqual([]);
  });

  it('tells GitHub’s word for why it confirms nobody, and is used up by it', async () => {
    installed();
    const sentence = async (answer: BackFromGitHub) => {
      const refused = await back(answer);
      return [refused.statusCode, refused.json().error];
    };
    const declined = await dashboard.onGitHub(await leave(), 'ada', 'Cancel');
    expect(await sentence(declined)).toEqual([
      409,
      'You did not allow it on GitHub, so nothing was connected.',
    ]);
    expect((await back({ state: declined.state, code: 'x' })).statusCode).toBe(403);
    dashboard.github.state.people.callbackUrl = 'http://elsewhere.test/';
    const mismatch = await dashboard.onGitHub(await leave());
    dashboard.github.state.people.callbackUrl = 'http://docent.test/dashboard/-/github';
    expect(await sentence(mismatch)).toEqual([
      409,
      'GitHub has another callback URL for the App: the operator must set it to http://docent.test/dashboard/-/github.',
    ]);
    expect(await sentence({ state: 'acme.x', error: 'Call us' })).toEqual([
      409,
      'GitHub did not confirm who you are: connect again.',
    ]);
    expect(await owned()).toEqual([]);
  });

  it('installs the App first, where somebody asks for that, and then wants the proof of it', async () => {
    const other = installed();
    const [mine] = installed().repositories;
    dashboard.github.state.installations.pop();
    dashboard.github.state.people.installsOn = [mine!];
    const { url } = await leave(owner, 'install');
    expect(url).toMatch(/\/apps\/docent\/installations\/new\?state=acme\.[\w-]{43}$/);
    const answer = await dashboard.onGitHub({ url }, 'ada', 'Install');
    const { continueAt, connected } = (await back(answer)).json<GitHubReturned>();
    expect([connected, await owned()]).toEqual([null, []]);
    expect((await back(await dashboard.onGitHub({ url: continueAt! }))).json()).toEqual({
      continueAt: null,
      connected: mine!.owner,
    });
    expect(await owned()).toEqual([
      { id: answer.installationId, organization: dashboard.tenant.organizationId },
    ]);
    expect((await dashboard.connection(owner)).shown).toEqual([
      { id: other.id, account: other.account, refusal: null },
    ]);
  });

  it('believes no installation that only the address names', async () => {
    const {
      id,
      repositories: [theirs],
    } = installed();
    theirs!.roles = { bob: 'admin' };
    const answer = await dashboard.onGitHub(await leave());
    expect((await back({ ...answer, installationId: id })).json()).toEqual({
      continueAt: null,
      connected: null,
    });
    const viaInstall = (
      await back({ state: stateOf(await leave(owner, 'install')), installationId: id })
    ).json<GitHubReturned>();
    expect((await back(await dashboard.onGitHub({ url: viaInstall.continueAt! }))).json()).toEqual({
      continueAt: null,
      connected: null,
    });
    expect((await claim(id)).statusCode).toBe(403);
    expect(await owned()).toEqual([]);
  });
});

describe('an installation', () => {
  it('is not given by whoever may only read, or write to a part of it', async () => {
    const {
      account,
      id,
      repositories: [first, second],
    } = installed(2);
    second!.roles = { ada: 'read' };
    expect(await dashboard.connect(owner)).toEqual({ continueAt: null, connected: null });
    const refusal = `The installation on ${account} opens repositories that you cannot write to: someone with write access to all of them must connect it.`;
    expect((await dashboard.connection(owner)).shown).toEqual([{ id, account, refusal }]);
    const refused = await claim(id);
    expect([refused.statusCode, refused.json().error]).toEqual([403, refusal]);
    second!.roles = {};
    first!.roles = {};
    await dashboard.connect(owner);
    expect((await dashboard.connection(owner)).shown).toEqual([]);
    expect(await owned()).toEqual([]);
  });

  it('is chosen where there are several, by the session to which GitHub showed it', async () => {
    const [one, two] = [installed(), installed()];
    expect(await dashboard.connect(owner)).toEqual({ continueAt: null, connected: null });
    expect((await dashboard.connection(owner)).shown.map(({ id }) => id)).toEqual([one.id, two.id]);
    const colleague = await dashboard.signIn(`colleague-${count}@acme.test`, 'owner');
    expect((await dashboard.connection(colleague)).shown).toEqual([]);
    expect((await claim(two.id, colleague)).statusCode).toBe(403);
    expect((await claim(two.id, stranger, 'stranger')).statusCode).toBe(403);
    expect((await claim(two.id)).json()).toMatchObject({
      installations: [{ id: two.id, problem: null }],
      shown: [{ id: one.id }],
    });
    await dashboard.pool.query("update github_proofs set expires_at = now() - interval '1 second'");
    const late = await claim(one.id);
    expect([late.statusCode, late.json().error]).toEqual([
      403,
      'GitHub did not show you this installation, or that was too long ago: connect GitHub again.',
    ]);
    expect(await owned()).toEqual([{ id: two.id, organization: dashboard.tenant.organizationId }]);
  });

  it('belongs to one organization: another is told, and gets nothing, until it was disconnected', async () => {
    const { account, id } = installed();
    await dashboard.connect(owner);
    const address = await leave(stranger, 'authorize', 'stranger');
    const taken = await back(await dashboard.onGitHub(address), stranger, 'stranger');
    expect([taken.statusCode, taken.json().error]).toEqual([
      409,
      `The installation on ${account} belongs to another organization here: an owner of that organization must disconnect it first.`,
    ]);
    expect((await claim(id, stranger, 'stranger')).statusCode).toBe(409);
    expect(
      (await stranger.call('DELETE', `/organizations/stranger/github/installations/${id}`))
        .statusCode,
    ).toBe(404);
    expect(await owned()).toEqual([{ id, organization: dashboard.tenant.organizationId }]);
    expect(
      (await owner.call('DELETE', `/organizations/acme/github/installations/${id}`)).json(),
    ).toMatchObject({ installations: [] });
    expect((await claim(id, stranger, 'stranger')).statusCode).toBe(200);
    expect(await owned()).toEqual([{ id, organization: dashboard.stranger.organizationId }]);
  });

  it('says what became of it on GitHub', async () => {
    const { account, id } = installed();
    await dashboard.connect(owner);
    const problem = async () => (await dashboard.connection(owner)).installations[0]?.problem;
    const [installation] = dashboard.github.state.installations;
    installation!.suspended = true;
    expect(await problem()).toBe(
      `The App’s installation on ${account} is suspended: unsuspend it in GitHub’s settings.`,
    );
    await dashboard.connect(owner);
    await dashboard.pool.query('delete from github_installations');
    expect((await claim(id)).json().error).toMatch(/is suspended/);
    await dashboard.pool.query(
      'insert into github_installations (id, organization_id, account) values ($1, $2, $3)',
      [id, dashboard.tenant.organizationId, account],
    );
    installation!.suspended = false;
    installation!.permissions = { contents: 'read', pull_requests: 'write', metadata: 'read' };
    expect(await problem()).toMatch(
      /lacks a permission: accept read and write access to Contents and Pull requests/,
    );
    dashboard.github.fail({ path: new RegExp(`/app/installations/${id}$`), status: 502 });
    expect(await problem()).toMatch(/^GitHub answers with status 502/);
    dashboard.github.state.installations.length = 0;
    expect(await problem()).toBe(
      `The App was uninstalled from ${account}: install it again, or disconnect it here.`,
    );
  });
});

it('says what is set wrong, and what GitHub does not answer', async () => {
  installed();
  const { people } = dashboard.github.state;
  const attempt = async () =>
    (await back(await dashboard.onGitHub(await leave()))).json().error as string;
  const secret = people.clientSecret;
  people.clientSecret = 'another';
  expect(await attempt()).toBe(
    'GitHub does not know the App’s client: check GITHUB_APP_CLIENT_ID and GITHUB_APP_CLIENT_SECRET.',
  );
  people.clientSecret = secret;
  const refused = async (fault: Omit<Fault, 'path'>) => {
    dashboard.github.fail({ path: /access_token$/, ...fault });
    const answer = await back(await dashboard.onGitHub(await leave()));
    return [answer.statusCode, answer.json().error];
  };
  expect(await refused({ status: 502 })).toEqual([
    503,
    'GitHub answers with status 502: connect again in a moment.',
  ]);
  expect(await refused({ status: 429 })).toEqual([
    503,
    'GitHub answers with status 429: connect again in a moment.',
  ]);
  expect(await refused({ status: 404 })).toEqual([
    409,
    'GitHub does not know the App’s client: check GITHUB_APP_CLIENT_ID and GITHUB_APP_CLIENT_SECRET. It answers with status 404.',
  ]);
  expect(await refused({ status: 302, headers: { location: 'http://elsewhere.test/' } })).toEqual([
    409,
    'GitHub redirects to elsewhere.test, which is not followed: check GITHUB_API_URL.',
  ]);
  dashboard.github.fail({ path: /user\/installations$/, status: 500 });
  expect(await attempt()).toMatch(/^GitHub answers with status 500/);
  const other = installed();
  dashboard.github.fail({
    path: new RegExp(`/app/installations/${other.id}/access_tokens$`),
    status: 502,
  });
  await dashboard.connect(owner);
  expect(
    (await dashboard.connection(owner)).shown.map(({ account, refusal }) => [
      account === other.account,
      refusal,
    ]),
  ).toEqual([
    [false, null],
    [true, expect.stringMatching(/^GitHub answers with status 502/)],
  ]);
  expect(
    dashboard.github.state.tokens
      .filter(each => each.value.startsWith('ghu_'))
      .every(each => each.revoked),
  ).toBe(true);
  dashboard.github.fail({
    path: /\/app$/,
    status: 401,
    message: 'A JSON web token could not be decoded',
  });
  expect((await dashboard.connection(owner)).problem).toMatch(
    /check GITHUB_APP_ID and GITHUB_APP_PRIVATE_KEY/,
  );
});

function stateOf({ url }: GitHubAddress): string {
  return new URL(url).searchParams.get('state') ?? '';
}
