import { createHook } from 'node:async_hooks';
import { PASSWORD, startDashboard, type TestDashboard } from './harness.ts';

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
  for (const email of ['ada@acme.test', 'bob@acme.test']) await dashboard.signIn(email, 'member');
});
beforeEach(() => dashboard.pool.query('delete from limit_counts'));
afterAll(() => dashboard.close());

const signIn = (email: string, password = PASSWORD) => ({ body: { email, password } });

/** The slow hashes that a request costs, which are nearly all of its time. */
async function counted<T>(request: () => Promise<T>): Promise<{ answer: T; hashes: number }> {
  let hashes = 0;
  const hook = createHook({
    init(_id, type) {
      if (type === 'SCRYPTREQUEST') hashes += 1;
    },
  }).enable();
  try {
    const answer = await request();
    return { answer, hashes };
  } finally {
    hook.disable();
  }
}

describe('guessing', () => {
  it('gets the same answer for the same work, whether the address has an account or not', async () => {
    const attempt = async (email: string) => {
      const { answer, hashes } = await counted(() =>
        dashboard.browser().call('POST', '/session', signIn(email, 'a wrong password')),
      );
      const { instance: _, ...body } = answer.json();
      return { status: answer.statusCode, body, hashes };
    };
    const known = await attempt('ada@acme.test');
    expect(known).toMatchObject({ status: 401, hashes: 1 });
    expect(await attempt('nobody@acme.test')).toEqual(known);
  });

  it('is limited by account and address, and keeps nobody out who has not failed', async () => {
    const attempt = (i: number, password: string) =>
      dashboard.browser().call('POST', '/session', {
        ...signIn('bob@acme.test', password),
        remoteAddress: `192.0.2.${i}`,
      });
    const status = async (i: number, password: string) => (await attempt(i, password)).statusCode;
    for (let i = 0; i < 10; i++) expect(await status(1, 'a wrong password')).toBe(401);
    const refused = await attempt(1, PASSWORD);
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.headers['set-cookie']).toBeUndefined();
    // While an account is guessed at, each other address has one attempt.
    expect(await status(2, 'a wrong password')).toBe(401);
    expect(await status(2, PASSWORD)).toBe(429);
    // The owner, from elsewhere, is let in; the one who guessed stays out.
    expect(await status(3, PASSWORD)).toBe(200);
    expect(await status(1, PASSWORD)).toBe(429);
    expect(await status(4, 'a wrong password')).toBe(401);
    expect(await status(4, PASSWORD)).toBe(200);
  });

  it('is limited by account, however its address is written', async () => {
    await dashboard.signIn('mika@acme.test', 'viewer');
    const attempt = (email: string) =>
      dashboard.browser().call('POST', '/session', signIn(email, 'a wrong password'));
    expect((await attempt('mika@acme.test')).statusCode).toBe(401);
    await dashboard.pool.query(`update limit_counts set n = 10 where scope = 'sign_in_account'`);
    // In lower case all of these are its letters: the dotted capital I to Postgres, not to
    // JavaScript.
    for (const email of ['MIKA@acme.test', 'mi\u212Aa@acme.test', 'm\u0130ka@acme.test'])
      expect((await attempt(email)).statusCode).toBe(429);
  });

  it('is limited by address, whichever account it tries', async () => {
    const attempt = (i: number) =>
      dashboard.browser().call('POST', '/session', {
        ...signIn(`guess-${i}@acme.test`, 'x'),
        remoteAddress: '2001:db8:1::7',
      });
    expect((await attempt(0)).statusCode).toBe(401);
    // Sixty real ones would take a minute of hashing.
    const { rowCount } = await dashboard.pool.query(
      `update limit_counts set n = 57 where scope = 'sign_in_address' and id = '2001:db8:1:0::/64' and n = 1`,
    );
    expect(rowCount).toBe(1);
    const answers = await Promise.all([1, 2, 3, 4, 5].map(attempt));
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      401, 401, 401, 429, 429,
    ]);
    const neighbour = await dashboard.browser().call('POST', '/session', {
      ...signIn('ada@acme.test'),
      remoteAddress: '2001:db8:1:0:ffff::1',
    });
    expect(neighbour.statusCode).toBe(429); // the same /64
  });

  it('of links costs no slow hash, so that a flood of them keeps nobody out', async () => {
    for (const [path, more] of [
      ['/reset', {}],
      ['/invitation', {}],
      ['/invitation/accept', { email: 'eve@acme.test', name: 'Eve' }],
    ] as const) {
      const { answer, hashes } = await counted(() =>
        dashboard.browser().call('POST', path, {
          body: { token: 'guessed', password: 'a long enough one', ...more },
        }),
      );
      expect(answer.statusCode).toBeGreaterThanOrEqual(400);
      expect([path, hashes]).toEqual([path, 0]);
    }
  });
});
