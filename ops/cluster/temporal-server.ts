import { execFile } from 'node:child_process';
import { access, constants, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ConfigError } from '../../shared/errors.ts';

const run = promisify(execFile);
/** Of the Go module, by the name that the server's releases give each. */
const PROGRAMS = {
  'temporal-sql-tool': { path: 'cmd/tools/sql', builds: 'sql' },
  'temporal-server': { path: 'cmd/server', builds: 'server' },
};

export interface TemporalServerOptions {
  version: string;
  cacheFolder: string;
  /** Given programs instead: temporal-server, with temporal-sql-tool beside it. */
  given?: string;
  /** For `go`: the whole environment, which may name another module proxy. */
  env: Record<string, string | undefined>;
  notify: (sentence: string) => void;
}

/**
 * The folder of `temporal-server` and `temporal-sql-tool`. Builds both from the server's Go module,
 * once per version: some minutes of all cores, at low priority.
 */
export async function obtainTemporalServer(options: TemporalServerOptions): Promise<string> {
  const folder = options.given
    ? join(options.given, '..')
    : join(options.cacheFolder, `temporal-server-${options.version}`);
  const missing = await missingPrograms(folder);
  if (missing.length === 0) return folder;
  if (options.given)
    throw new ConfigError(
      `--temporal-server: there is no ${missing.join(' and no ')} in ${folder}.`,
    );
  options.notify(
    `Building the Temporal server ${options.version} from its Go module (once, some minutes) …`,
  );
  await build(folder, options);
  return folder;
}

/** Whether nothing has to be built. */
export async function hasTemporalServer(cacheFolder: string, version: string): Promise<boolean> {
  return (await missingPrograms(join(cacheFolder, `temporal-server-${version}`))).length === 0;
}

async function missingPrograms(folder: string): Promise<string[]> {
  const names = Object.keys(PROGRAMS);
  const found = await Promise.all(
    names.map(name =>
      access(join(folder, name), constants.X_OK).then(
        () => true,
        () => false,
      ),
    ),
  );
  return names.filter((_, i) => !found[i]);
}

/** Builds beside the target and renames, so that a build that is cut leaves no half folder. */
async function build(
  folder: string,
  { version, env, cacheFolder }: TemporalServerOptions,
): Promise<void> {
  await mkdir(cacheFolder, { recursive: true });
  const half = await mkdtemp(`${folder}-building-`);
  try {
    for (const [name, { path, builds }] of Object.entries(PROGRAMS)) {
      const target = `go.temporal.io/server/${path}@v${version}`;
      await run('nice', ['-n', '10', 'go', 'install', '-p', '1', target], {
        env: { ...env, GOBIN: half, CGO_ENABLED: '0' },
      });
      await rename(join(half, builds), join(half, name));
    }
    await rm(folder, { recursive: true, force: true });
    await rename(half, folder);
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    throw new ConfigError(
      `The Temporal server ${version} could not be built: ${stderr?.trim() || message}\n` +
        'Install Go 1.26 or newer, or give the program with --temporal-server, ' +
        'or a server that runs with --temporal-address.',
    );
  } finally {
    await rm(half, { recursive: true, force: true });
  }
}
