import { hashKey, mintKey } from '../../shared/secrets/api-keys.ts';
import {
  createKey,
  findKey,
  listKeys,
  mayKeyStillRead,
  revokeKey,
  rotateKey,
  touchKey,
} from '../../db/projects/keys.ts';
import { createOrganization } from '../../db/people/organizations.ts';
import { createProject, deleteProject } from '../../db/projects/projects.ts';
import { transaction } from '../../db/pool.ts';
import { type TestDatabase, testDatabase } from '../support/services.ts';

describe('tokens', () => {
  it('have the documented form and are known by their checksum', () => {
    for (const [kind, form] of [
      ['admin', /^svc_[0-9A-Za-z]{46}$/],
      ['assistant', /^svc_dsc_[0-9A-Za-z]{46}$/],
    ] as const) {
      const { token, hash, start } = mintKey(kind);
      expect(token).toMatch(form);
      expect(hashKey(token)).toEqual(hash);
      expect(start.endsWith(`…${token.slice(-4)}`)).toBe(true);
      expect(start.length).toBeLessThan(18);
    }
  });

  it('are refused once any character changes, or the prefix is cut or added', () => {
    const admin = mintKey('admin').token;
    const assistant = mintKey('assistant').token;
    expect(hashKey(assistant.replace('dsc_', ''))).toBeUndefined();
    expect(hashKey(admin.replace('svc_', 'svc_dsc_'))).toBeUndefined();
    for (let i = 0; i < admin.length; i++) {
      const changed = admin.slice(0, i) + (admin[i] === 'x' ? 'y' : 'x') + admin.slice(i + 1);
      expect(hashKey(changed)).toBeUndefined();
    }
    for (const other of [
      '',
      'svc_',
      ` ${admin}`,
      `${admin} `,
      `${admin}a`,
      admin.slice(0, -1),
      admin.toUpperCase(),
    ]) {
      expect(hashKey(other)).toBeUndefined();
    }
  });
});

describe('stored keys', () => {
  let database: TestDatabase;
  let organizationId: string;
  beforeAll(async () => {
    database = await testDatabase();
    organizationId = (await createOrganization(database.pool, { slug: 'acme', name: 'Acme' })).id;
  });
  afterAll(() => database.close());

  const find = (token: string, address = '127.0.0.1') =>
    findKey(database.pool, hashKey(token)!, address);

  it('hold no token', async () => {
    const { token } = await createKey(database.pool, { organizationId, kind: 'admin', name: 'ci' });
    const { rows } = await database.pool.query(
      'select to_jsonb(api_keys)::text as row from api_keys',
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { row } of rows) expect(row).not.toContain(token.slice(10, 40));
  });

  it('end at once when revoked, and only by their own organization', async () => {
    const { token, key } = await createKey(database.pool, {
      organizationId,
      kind: 'admin',
      name: 'to revoke',
    });
    const other = await createOrganization(database.pool, { slug: 'other', name: 'Other' });
    expect(await revokeKey(database.pool, other.id, key.id)).toBe(false);
    expect((await find(token))?.revokedAt).toBeNull();
    expect(await revokeKey(database.pool, organizationId, key.id)).toBe(true);
    expect((await find(token))?.revokedAt).toBeInstanceOf(Date);
  });

  it('read on while they are valid and the project is there', async () => {
    const make = async (name: string) =>
      (await createKey(database.pool, { organizationId, kind: 'admin', name })).key.id;
    const [ours, revoked] = [await make('reads'), await make('reads no more')];
    const project = await createProject(database.pool, {
      organizationId,
      name: 'Docs',
      domain: 'docs',
      host: 'local',
      repository: 'acme/docs',
      repositoryUrl: 'http://docent.test/git/acme/docs.git',
      baseRef: 'main',
    });
    await revokeKey(database.pool, organizationId, revoked);
    const both = () =>
      Promise.all([ours, revoked].map(id => mayKeyStillRead(database.pool, id, project.id)));
    expect(await both()).toEqual([true, false]);
    await deleteProject(database.pool, organizationId, project.id);
    expect(await both()).toEqual([false, false]);
  });

  it('expire by the database’s clock', async () => {
    const { token } = await createKey(database.pool, {
      organizationId,
      kind: 'admin',
      name: 'short',
      expiresAt: new Date(Date.now() - 1000),
    });
    expect((await find(token))?.expired).toBe(true);
  });

  it('know which addresses may use them', async () => {
    const { token, key } = await createKey(database.pool, {
      organizationId,
      kind: 'admin',
      name: 'office',
      allowedAddresses: ['10.1.0.0/16', '2001:db8::/32'],
    });
    expect(key.allowedAddresses).toEqual(['10.1.0.0/16', '2001:db8::/32']);
    expect((await find(token, '10.1.2.3'))?.addressAllowed).toBe(true);
    expect((await find(token, '2001:db8::7'))?.addressAllowed).toBe(true);
    expect((await find(token, '10.2.0.1'))?.addressAllowed).toBe(false);
  });

  const rotate = (id: string, hours: number) =>
    transaction(database.pool, tx => rotateKey(tx, organizationId, id, hours));

  it('rotate: the successor has the same rights, the old one runs out', async () => {
    const { token, key } = await createKey(database.pool, {
      organizationId,
      kind: 'admin',
      name: 'rotated',
      allowedOrigins: ['https://a.test'],
    });
    const next = await rotate(key.id, 24);
    expect(next?.key).toMatchObject({
      kind: 'admin',
      name: 'rotated',
      allowedOrigins: ['https://a.test'],
      expiresAt: null,
    });
    expect(next?.token).not.toBe(token);
    const old = await find(token);
    expect(old?.expired).toBe(false);
    const hours = (old!.expiresAt!.getTime() - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThan(24.1);
    expect(await rotate('key_unknown', 1)).toBeUndefined();
  });

  it('note their last use at most once a minute', async () => {
    const { key } = await createKey(database.pool, { organizationId, kind: 'admin', name: 'used' });
    const lastUse = async () =>
      (await listKeys(database.pool, organizationId)).find(({ id }) => id === key.id)!.lastUsedAt;
    expect(await lastUse()).toBeNull();
    await touchKey(database.pool, key.id);
    const first = await lastUse();
    expect(first).toBeInstanceOf(Date);
    await touchKey(database.pool, key.id);
    expect(await lastUse()).toEqual(first);
  });
});
