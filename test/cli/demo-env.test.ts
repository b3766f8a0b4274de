import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoEnvPath, readDemoEnv, writeDemoEnv } from '../../cli/stack/demo-env.ts';

describe('demo.env', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'docent-env-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is read as it was written, by us and by a shell, and by its owner only', async () => {
    const values = {
      BASE_URL: 'http://127.0.0.1:3000',
      TEMPORAL_CLI: '/a folder/$HOME/temporal',
      ADMIN_KEY: 'svc_abc',
    };
    writeDemoEnv(folder, values);
    expect(readDemoEnv(folder)).toEqual(values);
    expect(
      execFileSync(
        '/bin/sh',
        ['-c', '. "$1"; printf %s "$TEMPORAL_CLI"', 'sh', demoEnvPath(folder)],
        { encoding: 'utf8' },
      ),
    ).toBe(values.TEMPORAL_CLI);
    expect((await stat(demoEnvPath(folder))).mode & 0o777).toBe(0o600);
  });

  it('that is not there says nothing', () => {
    expect(readDemoEnv(folder)).toEqual({});
  });
});
