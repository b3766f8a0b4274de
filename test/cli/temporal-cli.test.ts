import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { findTemporalCli } from '../../cli/embedded/temporal-cli.ts';

describe('the Temporal CLI', () => {
  let folder: string;
  let cacheFolder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'docent-cli-'));
    cacheFolder = join(folder, 'cache');
    await mkdir(join(cacheFolder, 'temporal-1.9.1'), { recursive: true });
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function program(path: string): Promise<string> {
    await writeFile(path, '#!/bin/sh\n');
    await chmod(path, 0o755);
    return path;
  }

  it('is the configured one, or an error that names the setting', async () => {
    const configured = await program(join(folder, 'mine'));
    await program(join(folder, 'temporal'));
    expect(await findTemporalCli({ configured, searchPath: folder, cacheFolder })).toBe(configured);
    await expect(
      findTemporalCli({ configured: join(folder, 'absent'), searchPath: folder, cacheFolder }),
    ).rejects.toThrow('TEMPORAL_CLI_PATH names');
  });

  it('is the one on the PATH before the cached one', async () => {
    const cached = await program(join(cacheFolder, 'temporal-1.9.1', 'temporal'));
    expect(await findTemporalCli({ searchPath: '/nowhere', cacheFolder })).toBe(cached);
    const onPath = await program(join(folder, 'temporal'));
    expect(
      await findTemporalCli({ searchPath: ['/nowhere', folder].join(delimiter), cacheFolder }),
    ).toBe(onPath);
  });

  it('is not a file that cannot run', async () => {
    await writeFile(join(folder, 'temporal'), '');
    expect(await findTemporalCli({ searchPath: folder, cacheFolder })).toBeUndefined();
  });
});
