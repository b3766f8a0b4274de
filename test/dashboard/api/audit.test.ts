import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditList } from '../../../api/dashboard/contract/audit.ts';
import type { KeyMade } from '../../../api/dashboard/contract/projects/projects.ts';
import type { InvitationMade, MemberList } from '../../../api/dashboard/contract/people.ts';
import {
  deleteExpiredAudit,
  OPERATOR,
  readAudit,
  recordAudit,
} from '../../../db/audit/audit-log.ts';
import { docent } from '../../support/docent.ts';
import { testTemporal } from '../../support/services.ts';
import { type Browser, PASSWORD, startDashboard, type TestDashboard, tokenOf } from './harness.ts';
import { withoutAudit } from './audit-entries.ts';

const FROM = { remoteAddress: '192.0.2.7' };

let dashboard: TestDashboard;
let owner: Browser;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'docent-audit-'));
  dashboard = await startDashboard();
  owner = await dashboard.signIn('owner@acme.test', 'owner');
});
afterAll(async () => {
  await dashboard.close();
  rmSync(folder, { recursive: true, force: true });
});

const audit = (query = '') =>
  owner.json<AuditList>('GET', `/organizations/acme/audit?limit=100${query}`);
/** The newest entry of an action. */
const last = async (action: string) => (await audit(`&action=${action}`)).entries[0];
const bys = { kind: 'user', name: 'owner@acme.test', id: expect.stringMatching(/^usr_/) };

describe('the audit log contains', () => {
  it('sign-ins, and failed ones without what was typed', async () => {
    const sign = (email: string, password: string) =>
      dashboard.browser().call('POST', '/session', { body: { email, password }, ...FROM });
    expect((await sign('owner@acme.test', PASSWORD)).statusCode).toBe(200);
    expect(await last('sign_in.succeeded')).toMatchObject({
      actor: bys,
      address: '192.0.2.7',
      details: { by: 'password' },
    });
    expect((await sign('OWNER@acme.test', 'hunter2-hunter2')).statusCode).toBe(401);
    expect(await last('sign_in.failed')).toMatchObject({
      actor: { kind: 'anybody', id: null, name: null },
      address: '192.0.2.7',
      subject: { kind: 'user', name: 'owner@acme.test' },
    });
    // People type passwords into the wrong field.
    expect((await sign('hunter2@typed.test', 'x')).statusCode).toBe(401);
    const { rows } = await dashboard.pool.query(
      `select organization_id, subject_name from audit_log
        where action = 'sign_in.failed' and subject_id is null`,
    );
    expect(rows).toEqual([{ organization_id: null, subject_name: null }]);
    expect(JSON.stringify(await readAudit(dashboard.pool, {}, 1_000))).not.toMatch(/hunter2/);
  });

  it('invitations, members and roles', async () => {
    const made = await owner.json<InvitationMade>('POST', '/organizations/acme/invitations', {
      email: 'ada@acme.test',
      role: 'viewer',
    });
    const invited = { kind: 'invitation', id: made.id, name: 'ada@acme.test' };
    expect(await last('invitation.created')).toMatchObject({
      actor: bys,
      subject: invited,
      details: { role: 'viewer' },
    });
    await dashboard.browser().json('POST', '/invitation/accept', {
      token: tokenOf(made),
      name: 'Ada',
      password: PASSWORD,
    });
    expect(await last('member.joined')).toMatchObject({
      actor: { kind: 'user', name: 'ada@acme.test' },
      details: { role: 'viewer' },
    });
    const { members } = await owner.json<MemberList>('GET', '/organizations/acme/members');
    const { userId } = members.find(({ email }) => email === 'ada@acme.test')!;
    const ada = `/organizations/acme/members/${userId}`;
    await owner.json('PATCH', ada, { role: 'member' });
    expect(await last('member.role_changed')).toMatchObject({
      actor: bys,
      subject: { kind: 'user', id: userId, name: 'ada@acme.test' },
      details: { before: 'viewer', after: 'member' },
    });
    await owner.json('DELETE', ada);
    expect(await last('member.removed')).toMatchObject({ subject: { name: 'ada@acme.test' } });
    const other = await owner.json<InvitationMade>('POST', '/organizations/acme/invitations', {
      email: 'bob@acme.test',
      role: 'owner',
    });
    await owner.json('DELETE', `/organizations/acme/invitations/${other.id}`);
    expect(await last('invitation.withdrawn')).toMatchObject({
      subject: { name: 'bob@acme.test' },
    });
  });

  it('keys, without their secret', async () => {
    const keys = `/projects/${dashboard.tenant.project.id}/keys`;
    const { token, key } = await owner.json<KeyMade>('POST', keys, { kind: 'admin', name: 'CI' });
    const subject = { kind: 'key', id: key.id, name: `CI (${key.start})` };
    expect(await last('key.created')).toMatchObject({ actor: bys, subject });
    const next = await owner.json<KeyMade>('POST', `${keys}/${key.id}/rotate`, { graceHours: 1 });
    expect(await last('key.rotated')).toMatchObject({
      subject,
      details: { successor: next.key.id, graceHours: 1 },
    });
    await owner.json('POST', `${keys}/${next.key.id}/revoke`);
    expect(await last('key.revoked')).toMatchObject({ subject: { id: next.key.id } });
    const text = JSON.stringify(await readAudit(dashboard.pool, {}, 1_000));
    expect([text.includes(token), text.includes(next.token)]).toEqual([false, false]);
  });

  it('settings, and a job that a key cancelled', async () => {
    const { id } = dashboard.tenant.project;
    await owner.json('PATCH', `/projects/${id}`, { siteUrl: 'https://docs.acme.test' });
    expect(await last('project.changed')).toMatchObject({
      actor: bys,
      subject: { kind: 'project', id, name: 'acme-docs' },
      details: { siteUrl: 'https://docs.acme.test' },
    });
    await owner.json('PATCH', '/organizations/acme', { name: 'Acme Ltd' });
    expect(await last('organization.renamed')).toMatchObject({
      details: { before: 'acme', after: 'Acme Ltd' },
    });
    const job = await dashboard.createJob();
    await dashboard.restJob(job.id);
    expect(
      (await dashboard.call('POST', `${dashboard.base}/job/${job.id}/cancel`)).statusCode,
    ).toBe(200);
    expect(await last('job.cancelled')).toMatchObject({
      actor: { kind: 'key', name: expect.stringMatching(/^svc_\w{4}…\w{4}$/) },
      subject: { kind: 'job', id: job.id },
      details: { project: id },
    });
  });

  it('what the operator does on the server', async () => {
    const run = (...args: string[]) =>
      docent(folder, args, {
        DATABASE_URL: dashboard.config.DATABASE_URL!,
        TEMPORAL_ADDRESS: testTemporal().address,
      });
    expect((await run('organization', 'create', 'beta', '--name', 'Beta')).code).toBe(0);
    expect(await run('organization', 'create', 'beta')).toMatchObject({
      code: 2,
      stderr: 'The organization beta exists already.\n',
    });
    expect((await run('organization', 'create', 'sign-in')).code).not.toBe(0);
    expect((await run('organization', 'list')).stdout).toMatch(/beta\s+Beta\s+0\s+0/);
    await run('user', 'invite', 'first@beta.test', '--role', 'owner', '--organization', 'beta');
    await run('key', 'create', '--kind', 'admin', '--organization', 'beta');
    const lines = (await run('audit', '--organization', 'beta', '--json')).stdout;
    const entries = lines
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as { action: string; actor: unknown; organization: string });
    expect(entries.map(({ action }) => action)).toEqual([
      'organization.created',
      'invitation.created',
      'key.created',
    ]);
    expect(entries[0]).toMatchObject({ actor: { kind: 'operator' }, organization: 'beta' });
    expect((await run('audit', '--since', '1h')).stdout).toContain('member.role_changed');
    expect((await run('audit', '--since', '2999-01-01', '--json')).stdout).toBe('');
    expect((await run('audit', '--since', 'soon')).code).not.toBe(0);
  }, 120_000);
});

it('is for owners, of their own organization, page by page', async () => {
  const member = await dashboard.signIn('member@acme.test', 'member');
  expect((await member.call('GET', '/organizations/acme/audit')).statusCode).toBe(403);
  const { organizationId } = dashboard.stranger;
  await recordAudit(dashboard.pool, organizationId, { action: 'key.revoked', actor: OPERATOR });
  const all = (await audit()).entries;
  expect(all.length).toBeGreaterThan(10);
  const paged: unknown[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: AuditList = await owner.json(
      'GET',
      `/organizations/acme/audit?limit=3${cursor && `&cursor=${cursor}`}`,
    );
    paged.push(...page.entries);
    cursor = page.nextCursor;
  }
  expect(paged).toEqual(all);
  expect(all.map(({ id }) => id)).toEqual(
    all
      .map(({ id }) => id)
      .toSorted()
      .reverse(),
  );
  const theirs = await readAudit(dashboard.pool, { organizationId }, 10);
  expect(all.some(({ id }) => theirs.some(their => their.id === id))).toBe(false);
});

it('refuses every change, and loses only what is older than the time to keep it', async () => {
  const { pool } = dashboard;
  for (const sql of [
    "update audit_log set actor_name = 'somebody else'",
    'delete from audit_log',
    'truncate audit_log',
    "select set_config('docent.audit_kept_since', now()::text, false); delete from audit_log",
  ])
    await expect(pool.query(sql)).rejects.toThrow('the audit log is append-only');
  await pool.query("select set_config('docent.audit_kept_since', '', false)");
  const before = await readAudit(pool, {}, 1_000);
  await pool.query(
    `insert into audit_log (id, action, actor_kind, at)
     values ('aud_old', 'key.revoked', 'operator', now() - interval '31 days'),
            ('aud_younger', 'key.revoked', 'operator', now() - interval '29 days')`,
  );
  expect(await deleteExpiredAudit(pool, 30, 100)).toBe(1);
  const after = await readAudit(pool, {}, 1_000);
  expect(after.map(({ id }) => id)).toEqual(
    [...before.map(({ id }) => id), 'aud_younger'].toSorted(),
  );
});

it('stands or falls with the act', async () => {
  const { pool } = dashboard;
  const keys = `/projects/${dashboard.tenant.project.id}/keys`;
  const count = async () => (await pool.query('select 1 from api_keys')).rowCount;
  const before = await count();
  await withoutAudit(pool, async () => {
    const answer = await owner.call('POST', keys, { body: { kind: 'admin', name: 'unseen' } });
    expect(answer.statusCode).toBe(500);
  });
  expect(await count()).toBe(before);
});

it('contains the end of a project', async () => {
  await owner.json('DELETE', `/projects/${dashboard.stranger.project.id}`).catch(() => undefined);
  expect(await last('project.deleted')).toBeUndefined();
  const { id } = dashboard.tenant.project;
  expect((await owner.call('DELETE', `/projects/${id}`)).statusCode).toBe(204);
  expect(await last('project.deleted')).toMatchObject({ subject: { id, name: 'acme-docs' } });
});
