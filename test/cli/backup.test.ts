import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readDemoEnv } from '../../cli/stack/demo-env.ts';
import { docent, type RunningDocent, startDocent, temporaryFolder } from '../support/docent.ts';
import { testProgram } from '../support/services.ts';
import { backupRound } from '../torture/backups.ts';

const READY = /Docent is ready[^]*Ctrl-C stops everything/;

describe('docent backup, while jobs run, and docent restore in another folder', () => {
  it('keep what was acknowledged before the mark, once, and jobs go on', async () => {
    const verdict = await backupRound({
      ...{ seed: 3, loadSeconds: 12, isHostNewer: false },
      program: testProgram('docent'),
    });
    expect(verdict.violations).toEqual([]);
    expect(verdict.before).toBeGreaterThan(2);
    expect(verdict.after).toBeGreaterThan(0);
  }, 400_000);
});

describe('a backup', () => {
  let folder: string;
  let dataDir: string;
  let backup: string;
  let running: RunningDocent;
  let jobId: string;
  const at = (name: string) => join(folder, name);

  beforeAll(async () => {
    folder = await temporaryFolder();
    [dataDir, backup] = [at('data'), at('backup')];
    running = startDocent(dataDir, ['start']);
    await running.prints(READY);
    const prompt = 'Add a page docs/kept.md titled "Kept" with the text "Still here."';
    const { stdout } = await docent(dataDir, ['job', 'create', prompt, '--wait', '--json']);
    jobId = (JSON.parse(stdout) as { id: string }).id;
    const { code, stderr } = await docent(dataDir, ['backup', backup]);
    expect([code, stderr]).toEqual([0, '']);
  }, 120_000);
  afterAll(async () => {
    running.process.kill('SIGTERM');
    await running.ended;
    await rm(folder, { recursive: true, force: true });
  });

  /** Restores a changed copy; what it says, and what is in the data folder afterwards. */
  async function restoring(name: string, change: (copy: string) => Promise<void>) {
    const copy = at(`${name}-backup`);
    await cp(backup, copy, { recursive: true });
    await change(copy);
    const { code, stderr } = await docent(at(name), ['restore', copy]);
    return [code, stderr, await readdir(at(name)).catch(() => [])];
  }

  /** Changes the manifest as another release would have written it. */
  async function rewriteManifest(copy: string, change: Record<string, unknown>) {
    const [path, sums] = [join(copy, 'manifest.json'), join(copy, 'SHA256SUMS')];
    const sum = async () =>
      createHash('sha256')
        .update(await readFile(path))
        .digest('hex');
    const before = await sum();
    const manifest = JSON.parse(await readFile(path, 'utf8')) as object;
    await writeFile(path, JSON.stringify({ ...manifest, ...change }));
    await writeFile(sums, (await readFile(sums, 'utf8')).replace(before, await sum()));
  }

  it('can be read by its owner only', () => {
    const paths = readdirSync(backup, { recursive: true, encoding: 'utf8' });
    expect(paths.length).toBeGreaterThan(500);
    const open = paths.filter(path => (statSync(join(backup, path)).mode & 0o077) !== 0);
    expect([open, statSync(backup).mode & 0o777]).toEqual([[], 0o700]);
  });

  it('is not written over another one', async () => {
    const { code, stderr } = await docent(dataDir, ['backup', backup]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/is not empty: name a folder/)]);
    expect((await readFile(join(backup, 'SHA256SUMS'), 'utf8')).length).toBeGreaterThan(0);
  });

  it('leaves the stack at work', async () => {
    const edit = 'Append the line "And more." to docs/kept.md';
    const { code, stdout } = await docent(dataDir, ['job', 'message', jobId, edit, '--wait']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('completed')]);
    expect((await readdir(dataDir)).filter(name => name.startsWith('backup-'))).toEqual([]);
    const { code: same, stdout: said } = await docent(dataDir, ['reconcile']);
    expect([same, said]).toEqual([0, expect.stringMatching(/1 open job and .*nothing differs/)]);
  });

  it('is for the databases of docent start only', async () => {
    const { code, stderr } = await docent(dataDir, ['backup', at('other')], {
      DATABASE_URL: 'postgres://db.internal/docent',
    });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^DATABASE_URL is set: /)]);
  });

  it('is not restored over a running stack, or over any data', async () => {
    const over = await docent(dataDir, ['restore', backup]);
    expect([over.code, over.stderr]).toEqual([2, expect.stringMatching(/^Docent is running on /)]);
    await mkdir(at('full'));
    await writeFile(join(at('full'), 'mine'), '');
    const full = await docent(at('full'), ['restore', backup]);
    expect([full.code, full.stderr]).toEqual([2, expect.stringMatching(/full is not empty/)]);
    expect(await readdir(at('full'))).toEqual(['mine']);
  });

  it.each<[string, (copy: string) => Promise<void>, RegExp]>([
    [
      'a changed byte',
      async copy => {
        const path = join(copy, 'temporal', 'temporal.sqlite');
        const bytes = await readFile(path);
        bytes[bytes.length - 1]! ^= 1;
        await writeFile(path, bytes);
      },
      /is damaged: temporal\/temporal\.sqlite is missing or not as it was written/,
    ],
    [
      'a missing file',
      copy => rm(join(copy, 'postgres/cluster/PG_VERSION')),
      /is damaged: postgres\/cluster\/PG_VERSION is missing/,
    ],
    [
      'a changed manifest',
      copy => writeFile(join(copy, 'manifest.json'), '{}'),
      /is damaged: manifest\.json/,
    ],
    [
      'no end',
      copy => rm(join(copy, 'SHA256SUMS')),
      /is not a backup, or one that was not finished/,
    ],
    [
      'a newer schema',
      copy => rewriteManifest(copy, { docent: '9.1.0', migration: '9001_later.sql' }),
      /was made by Docent 9\.1\.0, whose database is newer than this release knows/,
    ],
    [
      'another Postgres',
      copy => rewriteManifest(copy, { postgres: '12' }),
      /is of Postgres 12, and this release runs Postgres \d+/,
    ],
    [
      'a path that leads out of it',
      copy => rewriteManifest(copy, { folders: ['repositories/../../outside'] }),
      /is damaged: repositories\/\.\.\/\.\.\/outside/,
    ],
  ])('with %s is refused, and nothing is left of it', async (name, change, sentence) => {
    expect(await restoring(name.replaceAll(' ', '-'), change)).toEqual([
      1,
      expect.stringMatching(sentence),
      [],
    ]);
  });

  it('that was restored in part is not started', async () => {
    await mkdir(at('part'));
    await writeFile(join(at('part'), 'restore-unfinished'), '');
    const { code, stderr } = await docent(at('part'), ['start']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/did not finish/)]);
  });

  it('of a stopped stack is made and restored, too', async () => {
    running.process.kill('SIGTERM');
    await running.ended;
    const made = await docent(dataDir, ['backup', at('cold')]);
    expect([made.code, made.stderr]).toEqual([0, '']);
    expect((await docent(at('again'), ['restore', at('cold')])).code).toBe(0);
    running = startDocent(at('again'), ['start']);
    await running.prints(READY);
    expect(readDemoEnv(at('again'))).toEqual(readDemoEnv(dataDir));
    const { stdout } = await docent(at('again'), ['job', 'diff', jobId]);
    expect(stdout).toContain('+And more.');
    const { code, stdout: said } = await docent(at('again'), ['reconcile', '--dry-run']);
    expect([code, said]).toEqual([0, expect.stringMatching(/nothing differs/)]);
  }, 120_000);
});
