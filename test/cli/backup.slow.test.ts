import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { restore } from '../../cli/backup/restore.ts';
import { readDemoEnv } from '../../cli/stack/demo-env.ts';
import { readConfig } from '../../shared/config.ts';
import { dice } from '../jobs/random/dice.ts';
import { docent, temporaryFolder } from '../support/docent.ts';
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts';
import { testProgram } from '../support/services.ts';
import { judgeRestored, type Loaded, loadAndBackUp } from '../torture/backups.ts';
import { Machines } from '../torture/machines.ts';
import { answer } from '../torture/model.ts';

const SEED = 3;
const LOAD_SECONDS = 3;

describe('docent backup, while jobs run, and docent restore in another folder', () => {
  let folder: string;
  let model: ScriptedModel;
  let machines: Machines;
  let loaded: Loaded;
  /** Of the machine that was lost. */
  let demoEnv: object;
  let restored: string;
  const at = (name: string) => join(folder, name);

  beforeAll(async () => {
    folder = await temporaryFolder();
    const luck = dice(SEED);
    model = await startScriptedModel(request => answer(request, luck, false));
    machines = new Machines(folder, testProgram('docent'), model);
    loaded = await loadAndBackUp(machines, luck, { loadSeconds: LOAD_SECONDS });
    demoEnv = readDemoEnv(loaded.dataDir);
    // Nothing is left beside the data.
    expect(readdirSync(loaded.dataDir).filter(name => name.startsWith('backup-'))).toEqual([]);
    await machines.kill();
    restored = await machines.restore(loaded.backup);
    await machines.start(restored);
  }, 120_000);
  afterAll(async () => {
    await machines.close();
    await model.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('keep what was acknowledged before the mark, once, and jobs go on', async () => {
    const options = { seed: SEED, isHostNewer: false };
    const verdict = await judgeRestored(machines, restored, loaded, options);
    expect(verdict.violations).toEqual([]);
    expect(verdict.before).toBeGreaterThan(2);
    expect(verdict.after).toBeGreaterThan(0);
    expect(readDemoEnv(restored)).toEqual(demoEnv);
    expect(await machines.reconcile(restored)).toEqual([]);
  }, 120_000);

  it('make what its owner only can read', () => {
    const { backup } = loaded;
    const paths = readdirSync(backup, { recursive: true, encoding: 'utf8' });
    expect(paths.length).toBeGreaterThan(500);
    const open = paths.filter(path => (statSync(join(backup, path)).mode & 0o077) !== 0);
    expect([open, statSync(backup).mode & 0o777]).toEqual([[], 0o700]);
  });

  it('write over nothing: no backup, no running stack, no data', async () => {
    const { backup } = loaded;
    await mkdir(at('full'));
    await writeFile(join(at('full'), 'mine'), '');
    const ended = await Promise.all([
      docent(restored, ['backup', backup]),
      docent(restored, ['restore', backup]),
      docent(at('full'), ['restore', backup]),
      docent(restored, ['backup', at('other')], { DATABASE_URL: 'postgres://db.internal/docent' }),
    ]);
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual([
      [2, expect.stringMatching(/is not empty: name a folder/)],
      [2, expect.stringMatching(/^Docent is running on /)],
      [2, expect.stringMatching(/full is not empty/)],
      [2, expect.stringMatching(/^DATABASE_URL is set: /)],
    ]);
    expect((await readFile(join(backup, 'SHA256SUMS'), 'utf8')).length).toBeGreaterThan(0);
    expect(await readdir(at('full'))).toEqual(['mine']);
  });

  it('do not start what was restored in part', async () => {
    await mkdir(at('part'));
    await writeFile(join(at('part'), 'restore-unfinished'), '');
    const { code, stderr } = await docent(at('part'), ['start']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/did not finish/)]);
  });

  /** Changes a file of the backup while `work` runs. */
  async function changed<T>(
    path: string,
    change: (file: string, bytes: Buffer) => Promise<void>,
    work: () => Promise<T>,
  ): Promise<T> {
    const file = join(loaded.backup, path);
    const bytes = await readFile(file);
    await change(file, Buffer.from(bytes));
    try {
      return await work();
    } finally {
      await writeFile(file, bytes, { mode: 0o600 });
    }
  }

  /** With a manifest as another release would have written it, and its sum. */
  const manifest = (members: Record<string, unknown>) => (work: () => Promise<unknown>) =>
    changed(
      'manifest.json',
      async (file, bytes) => {
        const before = bytes.toString();
        await writeFile(file, JSON.stringify({ ...(JSON.parse(before) as object), ...members }));
      },
      async () => {
        const sum = createHash('sha256')
          .update(await readFile(join(loaded.backup, 'manifest.json')))
          .digest('hex');
        const sums = async (file: string, bytes: Buffer) =>
          writeFile(file, bytes.toString().replace(/^\w+(?= +manifest\.json$)/m, sum));
        return changed('SHA256SUMS', sums, work);
      },
    );
  const gone = (path: string) => (work: () => Promise<unknown>) =>
    changed(path, file => rm(file), work);

  it.each<[string, (work: () => Promise<unknown>) => Promise<unknown>, RegExp]>([
    [
      'a changed byte',
      work =>
        changed(
          'temporal/temporal.sqlite',
          async (file, bytes) => {
            bytes[bytes.length - 1]! ^= 1;
            await writeFile(file, bytes);
          },
          work,
        ),
      /is damaged: temporal\/temporal\.sqlite is missing or not as it was written/,
    ],
    [
      'a missing file',
      gone('postgres/cluster/PG_VERSION'),
      /is damaged: postgres\/cluster\/PG_VERSION is missing/,
    ],
    [
      'a changed manifest',
      work => changed('manifest.json', file => writeFile(file, '{}'), work),
      /is damaged: manifest\.json/,
    ],
    ['no end', gone('SHA256SUMS'), /is not a backup, or one that was not finished/],
    [
      'a newer schema',
      manifest({ docent: '9.1.0', migration: '9001_later.sql' }),
      /was made by Docent 9\.1\.0, whose database is newer than this release knows/,
    ],
    [
      'another Postgres',
      manifest({ postgres: '12' }),
      /is of Postgres 12, and this release runs Postgres \d+/,
    ],
    [
      'a path that leads out of it',
      manifest({ folders: ['repositories/../../outside'] }),
      /is damaged: repositories\/\.\.\/\.\.\/outside/,
    ],
  ])('refuse a backup with %s, and leave nothing of it', async (name, damaging, sentence) => {
    const dataDir = at(name.replaceAll(' ', '-'));
    const config = readConfig({ DATA_DIR: dataDir });
    await damaging(async () => {
      await expect(restore(config, loaded.backup)).rejects.toThrow(sentence);
    });
    expect(await readdir(dataDir).catch(() => [])).toEqual([]);
  });

  it('keep a stopped stack, too', async () => {
    await machines.stop();
    const passphrase = ['--passphrase-file', at('passphrase')];
    await writeFile(at('passphrase'), 'correct horse battery staple\n');
    await writeFile(at('other-passphrase'), 'another one, as long as that\n');
    const made = await docent(restored, ['backup', at('cold'), ...passphrase]);
    expect([made.code, made.stderr]).toEqual([0, '']);
    expect(made.stdout).toContain('The encryption key is in it, sealed');
    const again = at('again');
    const restoring = (...flags: string[]) => docent(again, ['restore', at('cold'), ...flags]);
    expect(await restoring()).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/is sealed/),
    });
    expect(await restoring('--passphrase-file', at('other-passphrase'))).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/passphrase does not open/),
    });
    expect(await restoring(...passphrase)).toMatchObject({ code: 0, stderr: '' });
    const key = (dataDir: string) => readFile(join(dataDir, 'encryption.key'), 'utf8');
    expect(await key(again)).toBe(await key(restored));
    await machines.start(again);
    expect(readDemoEnv(again)).toEqual(demoEnv);
    expect(await machines.reconcile(again)).toEqual([]);
  }, 120_000);
});
