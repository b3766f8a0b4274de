import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Session } from '../../../api/dashboard/contract/people.ts';
import { docent } from '../../support/docent.ts';
import { testTemporal } from '../../support/services.ts';
import { PASSWORD, startDashboard, type TestDashboard, tokenOf } from './harness.ts';

let dashboard: TestDashboard;
let folder: string;
beforeAll(async () => {
  dashboard = await startDashboard();
  folder = mkdtempSync(join(tmpdir(), 'docent-user-'));
});
afterAll(async () => {
  await dashboard.close();
  rmSync(folder, { recursive: true, force: true });
});

const user = (...args: string[]) =>
  docent(folder, ['user', ...args], {
    DATABASE_URL: dashboard.config.DATABASE_URL!,
    TEMPORAL_ADDRESS: testTemporal().address,
    PUBLIC_URL: 'http://docent.test/',
  });

it('lets the first owner in, then others, and back in', async () => {
  const several = await user('setup');
  expect([several.code, several.stderr]).toEqual([
    2,
    expect.stringContaining('--organization: acme, stranger'),
  ]);
  const setup = await user('setup', '--organization', 'acme');
  expect([setup.code, setup.stdout]).toEqual([
    0,
    expect.stringMatching(/^http:\/\/docent\.test\/dashboard\/setup#[\w-]{43}\n$/),
  ]);
  const accept = (link: string, more: object = {}) =>
    dashboard.browser().json<Session>('POST', '/invitation/accept', {
      token: tokenOf({ link }),
      name: 'Ada',
      password: PASSWORD,
      ...more,
    });
  expect(
    (await accept(setup.stdout.trim(), { email: 'ada@acme.test' })).organizations,
  ).toMatchObject([{ slug: 'acme', role: 'owner' }]);
  expect((await user('setup', '--organization', 'acme')).code).toBe(2);

  const invitation = await user(
    'invite',
    'bob@acme.test',
    '--role',
    'viewer',
    '--organization',
    'stranger',
  );
  expect((await accept(invitation.stdout.trim())).organizations).toMatchObject([
    { slug: 'stranger', role: 'viewer' },
  ]);
  expect((await user('list', '--organization', 'stranger')).stdout).toMatch(
    /bob@acme\.test\s+Ada\s+viewer\s+20/,
  );

  const reset = await user('link', 'BOB@acme.test');
  const back = await dashboard.browser().json<Session>('POST', '/reset', {
    token: tokenOf({ link: reset.stdout.trim() }),
    password: 'quite another one',
  });
  expect(back.user.email).toBe('bob@acme.test');
  expect((await user('remove', 'bob@acme.test')).code).toBe(0);
  expect(
    (
      await dashboard.browser().call('POST', '/session', {
        body: { email: 'bob@acme.test', password: 'quite another one' },
      })
    ).statusCode,
  ).toBe(401);
  for (const args of [
    ['link', 'bob@acme.test'],
    ['remove', 'bob@acme.test'],
  ])
    expect([args, (await user(...args)).code]).toEqual([args, 4]);
  expect((await user('invite', 'nobody', '--organization', 'acme')).code).toBe(2);
}, 180_000); // fourteen processes, one after the other
