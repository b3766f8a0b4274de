import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ProseRules } from './prose-rules.ts';

export interface ProseFinding {
  path: string;
  line: number;
  /** Such as `House.Simple`. */
  rule: string;
  severity: 'error' | 'warning' | 'suggestion';
  message: string;
  /** The words that it is about. */
  match: string;
}

/** A sentence for people: why the pages could not be checked. */
export class ProseError extends Error {
  /** It took all the time that it may. */
  readonly isTooSlow: boolean;

  constructor(message: string, isTooSlow = false) {
    super(message);
    this.isTooSlow = isTooSlow;
  }
}

export interface ValeLimits {
  timeoutMs: number;
  /** Bytes. */
  maxOutput: number;
}

const MAX_MESSAGE = 300;
/** Kilobytes of addresses: Go reserves much more than it uses. */
const MAX_ADDRESS_SPACE_KB = 2_000_000;

/**
 * Runs Vale over pages in a folder that has nothing but them, the settings and the styles. It has
 * no search path and no home, so that it starts no other program and reads no other settings.
 * Throws `ProseError`.
 */
export async function runVale(
  program: string,
  rules: ProseRules,
  pages: ReadonlyMap<string, string>,
  limits: ValeLimits,
  signal: AbortSignal,
): Promise<ProseFinding[]> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-vale-'));
  try {
    await write(folder, 'vale.ini', rules.settings);
    await mkdir(join(folder, 'styles'));
    for (const [path, bytes] of rules.styles) await write(join(folder, 'styles'), path, bytes);
    await mkdir(join(folder, 'pages'));
    for (const [path, text] of pages) await write(join(folder, 'pages'), path, text);
    const output = await start(program, folder, [...pages.keys()], limits, signal);
    return parseOutput(output);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function write(folder: string, path: string, content: string | Buffer): Promise<void> {
  const segments = path.split('/');
  if (segments.some(one => ['', '.', '..'].includes(one)) || path.includes('\0'))
    throw new ProseError(`The path ${path} cannot be checked.`);
  await mkdir(join(folder, dirname(path)), { recursive: true });
  await writeFile(join(folder, path), content);
}

function start(
  program: string,
  folder: string,
  pages: readonly string[],
  { timeoutMs, maxOutput }: ValeLimits,
  signal: AbortSignal,
): Promise<string> {
  const timeout = AbortSignal.timeout(timeoutMs);
  // Of its two threads: nothing else ends it once Docent is killed.
  const cpuSeconds = Math.ceil((2 * timeoutMs) / 1000);
  const limited =
    `ulimit -c 0; ulimit -t ${cpuSeconds}; ` +
    `ulimit -v ${MAX_ADDRESS_SPACE_KB} 2>/dev/null; exec "$0" "$@"`;
  const args = ['--config=../vale.ini', '--no-global', '--no-exit', '--output=JSON', '--'];
  const child = spawn('/bin/sh', ['-c', limited, program, ...args, ...pages], {
    cwd: join(folder, 'pages'),
    env: { HOME: folder, XDG_CONFIG_HOME: folder, GOMAXPROCS: '2', GOMEMLIMIT: '1GiB' },
    signal: AbortSignal.any([signal, timeout]),
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new Promise((resolve, reject) => {
    const output: Buffer[] = [];
    let size = 0;
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      if ((size += chunk.length) > maxOutput) child.kill('SIGKILL');
      else output.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (stderr.length < 4000) stderr += chunk.toString('utf8');
    });
    child.on('error', error => {
      if (signal.aborted) reject(signal.reason as Error);
      else if (!timeout.aborted) reject(new ProseError(`Vale did not start: ${error.message}`));
    });
    child.on('close', code => {
      const seconds = Math.ceil(timeoutMs / 1000);
      if (timeout.aborted) reject(new ProseError(`Vale was ended after ${seconds} seconds.`, true));
      else if (size > maxOutput) reject(new ProseError('Vale found more than can be reported.'));
      else if (code === 0) resolve(Buffer.concat(output).toString('utf8'));
      else reject(new ProseError(`Vale failed: ${failureText(stderr, folder)}`));
    });
  });
}

/** Vale prints its failure as JSON, with the paths of our folder. */
function failureText(stderr: string, folder: string): string {
  const [, text] = /"Text":\s*("(?:[^"\\]|\\.)*")/.exec(stderr) ?? [];
  const [, path] = /"Path":\s*"((?:[^"\\]|\\.)*)"/.exec(stderr) ?? [];
  // Without JSON, it is a trace of Go, whose first line says why.
  const plain = text === undefined ? stderr.split('\n')[0] : (JSON.parse(text) as string);
  const place = path === undefined || path === '' ? '' : `${path}: `;
  const told = `${place}${plain}`.replaceAll(`${folder}/`, '').replace(/\s+/g, ' ').trim();
  return told === '' ? 'it ended without a word, maybe for want of memory.' : told.slice(0, 400);
}

interface Alert {
  Check: string;
  Line: number;
  Match: string;
  Message: string;
  Severity: string;
}

function parseOutput(output: string): ProseFinding[] {
  let read: Record<string, Alert[]>;
  try {
    read = JSON.parse(output === '' ? '{}' : output) as typeof read;
  } catch {
    throw new ProseError('Vale printed something else than its findings.');
  }
  return Object.entries(read).flatMap(([path, alerts]) =>
    alerts.map(({ Check: rule, Line: line, Match: match, Message, Severity }) => ({
      path,
      line,
      rule,
      severity: Severity === 'error' || Severity === 'warning' ? Severity : 'suggestion',
      message: Message.replace(/\s+/g, ' ').trim().slice(0, MAX_MESSAGE),
      match,
    })),
  );
}
