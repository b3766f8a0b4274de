import { type AddressInfo, createServer } from 'node:net';
import { readConfig } from '../../../shared/config.ts';
import type { SignOnAnswer } from '../../../api/dashboard/contract/people.ts';
import type { Person } from '../oidc-provider.ts';
import { invite, PASSWORD, startDashboard } from './harness.ts';
import { refused, type SignOnStack, STALE, startSignOn } from './sign-on-harness.ts';

const FALSE_ANSWER = [403, 'The answer from Acme ID is not valid. Start again.'];

let stack: SignOnStack;
let dashboard: SignOnStack['dashboard'];
let provider: SignOnStack['provider'];
beforeAll(async () => {
  stack = await startSignOn();
  ({ dashboard, provider } = stack);
});
afterAll(async () => stack?.close());
beforeEach(async () => {
  Object.assign(provider, {
    forged: {},
    signsFalsely: false,
    hidesProfile: false,
    down: false,
    authMethods: ['client_secret_post'],
  });
  await dashboard.pool.query('delete from limit_counts');
});

describe('what it does not believe', () => {
  let person: Person & { email: string };
  beforeEach(async () => {
    person = stack.somebody();
    await stack.invited(person.email);
  });

  it('a return that another browser, or nobody, began', async () => {
    const { browser, url } = await stack.begin();
    const query = await provider.visit(url, person.email);
    expect(refused(await stack.finish(dashboard.browser(), query))).toEqual([400, STALE]);
    expect(refused(await stack.finish((await stack.begin()).browser, query))).toEqual([400, STALE]);
    expect((await stack.finish(browser, query)).statusCode).toBe(200); // the forged ones did not end it
  });

  it('a return with another state, or none', async () => {
    const { browser, url } = await stack.begin();
    const query = await provider.visit(url, person.email);
    for (const change of [
      (q: URLSearchParams) => q.set('state', 'guessed'),
      (q: URLSearchParams) => q.delete('state'),
    ]) {
      const changed = new URLSearchParams(query);
      change(changed);
      expect(refused(await stack.finish(browser, changed.toString()))).toEqual([400, STALE]);
    }
    expect((await stack.finish(browser, query)).statusCode).toBe(200);
  });

  it('the same return twice, also at once', async () => {
    const { browser, url } = await stack.begin();
    const query = await provider.visit(url, person.email);
    const answers = await Promise.all([stack.finish(browser, query), stack.finish(browser, query)]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 400,
    ]);
    expect(refused(await stack.finish(browser, query))).toEqual([400, STALE]);
  });

  it('a return that comes too late', async () => {
    const { browser, url } = await stack.begin();
    await dashboard.pool.query('update sign_on_attempts set expires_at = now()');
    expect(refused(await stack.finish(browser, await provider.visit(url, person.email)))).toEqual([
      400,
      STALE,
    ]);
  });

  it('a code of somebody else’s sign-in', async () => {
    const [mine, theirs] = [await stack.begin(), await stack.begin()];
    const stolen = new URLSearchParams(await provider.visit(theirs.url, person.email)).get('code')!;
    const query = new URLSearchParams(await provider.visit(mine.url, person.email));
    query.set('code', stolen);
    expect(refused(await stack.finish(mine.browser, query.toString()))).toEqual(FALSE_ANSWER); // PKCE
  });

  it.each<[string, Record<string, unknown>]>([
    ['another nonce', { nonce: 'another' }],
    ['no nonce', { nonce: undefined }],
    ['another issuer', { iss: 'https://evil.test' }],
    ['another audience', { aud: 'somebody' }],
    ['an end that has passed', { exp: Math.floor(Date.now() / 1000) - 120 }],
    ['no subject', { sub: undefined }],
  ])('a token with %s', async (_, forged) => {
    provider.forged = forged;
    expect(refused(await stack.signOn(person.email))).toEqual(FALSE_ANSWER);
  });

  it('a token that another key signed', async () => {
    provider.signsFalsely = true;
    expect(refused(await stack.signOn(person.email))).toEqual(FALSE_ANSWER);
  });

  it('sentences of the provider’s: only that it said no', async () => {
    expect(refused(await stack.signOn(null))).toEqual([
      403,
      'Sign-in with Acme ID was denied or cancelled.',
    ]);
  });
});

describe('providers', () => {
  it('that keep the address out of the token are asked for it', async () => {
    provider.hidesProfile = true;
    const person = stack.somebody();
    await stack.invited(person.email);
    expect((await stack.signOn(person.email)).json<SignOnAnswer>().session?.user).toMatchObject({
      email: person.email,
      name: person.name,
    });
    expect(provider.asked.at(-1)).toBe('userinfo');
  });

  it('that are down, or not what they say, are told apart from refusals, and may come back', async () => {
    const other = await startDashboard(provider.settings);
    try {
      const begun = () => other.browser().call('POST', '/sign-on');
      provider.down = true;
      expect(refused(await begun())).toEqual([
        503,
        'Acme ID cannot be reached. Try again in a moment, or sign in with a password.',
      ]);
      provider.down = false;
      const { browser, url } = await stack.begin(other.browser());
      const query = await provider.visit(url, stack.somebody().email);
      provider.down = true;
      expect((await stack.finish(browser, query)).statusCode).toBe(503);
    } finally {
      await other.close();
    }
  });

  it('that name an address in a private network as theirs are not followed there', async () => {
    let knocks = 0;
    const inside = createServer(() => (knocks += 1)).listen(0, '127.0.0.1');
    await new Promise(listening => inside.once('listening', listening));
    const { port } = inside.address() as AddressInfo;
    provider.tokenEndpoint = `https://127.0.0.1:${port}/token`;
    const other = await startDashboard(provider.settings);
    try {
      const { browser, url } = await stack.begin(other.browser());
      const query = await provider.visit(url, stack.somebody().email);
      expect((await stack.finish(browser, query)).statusCode).toBe(403);
      expect(knocks).toBe(0);
    } finally {
      provider.tokenEndpoint = undefined;
      await other.close();
      inside.close();
    }
  });

  it('get the secret the way they ask for: in the body, or in the header', async () => {
    provider.authMethods = undefined;
    const other = await startDashboard(provider.settings);
    try {
      const person = stack.somebody();
      await invite(other.pool, other.tenant.organizationId, person.email, 'viewer');
      const { browser, url } = await stack.begin(other.browser());
      expect(
        (await stack.finish(browser, await provider.visit(url, person.email))).statusCode,
      ).toBe(200);
      expect(provider.asked.at(-1)).toBe('token by header');
      await stack.signOn(person.email);
      expect(provider.asked.at(-1)).toBe('token by body');
    } finally {
      await other.close();
    }
  });

  it('are named where people sign in, and without one there is no way through', async () => {
    expect(await dashboard.browser().json('GET', '/setup')).toMatchObject({ provider: 'Acme ID' });
    const without = await startDashboard();
    try {
      expect(await without.browser().json('GET', '/setup')).toEqual({
        needed: true,
        provider: null,
      });
      for (const [path, body] of [
        ['', {}],
        ['/callback', { query: '?code=x&state=y' }],
        ['/confirm', { password: PASSWORD }],
      ] as const) {
        expect((await without.browser().call('POST', `/sign-on${path}`, { body })).statusCode).toBe(
          404,
        );
      }
    } finally {
      await without.close();
    }
  });
});

it('leaves no secret in the log', () => {
  expect(stack.log()).toContain('"reason":"OAUTH_JWT_CLAIM_COMPARISON_FAILED"');
  expect(stack.log()).toContain('/api/dashboard/sign-on/callback');
  for (const secret of ['a+secret', 'code=', 'id_token', 'eyJ', 'believe', 'docent-sign-on'])
    expect([secret, stack.log().includes(secret)]).toEqual([secret, false]);
});

it.each<[Record<string, string>, RegExp]>([
  [{ OIDC_ISSUER: 'https://id.acme.test' }, /go together/],
  [{ OIDC_CLIENT_SECRET: 'x', OIDC_CLIENT_ID: 'x' }, /go together/],
  [
    { OIDC_ISSUER: 'http://id.acme.test', OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: 'x' },
    /https:\/\//,
  ],
])('refuses half a provider, and one that anybody could be', (settings, sentence) => {
  expect(() => readConfig(settings)).toThrow(sentence);
});
