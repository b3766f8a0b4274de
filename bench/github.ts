import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startGitHub } from '../test/hosts/github/stand-in.ts';

const PAGES = 2_500;
const OTHERS = 7_500;
const PAGE_BYTES = 8_000;
const OTHER_BYTES = 24_000;
const exec = promisify(execFile);

interface Look {
  ms: number;
  files: number;
  pagesMb: number;
  idleMb: number;
  maxMb: number;
}

/**
 * A large repository's first snapshot, time and memory, beside git's own bare shallow clone over
 * the same HTTP.
 */
export async function run(): Promise<Record<string, unknown>> {
  const github = await startGitHub();
  const folder = mkdtempSync(join(tmpdir(), 'docent-bench-github-'));
  try {
    const repository = github.addRepository('acme/large', largeRepository());
    github.git(repository, 'repack', '-adq');
    const commit = github.git(repository, 'rev-parse', 'main').trim();
    const token = github.personalToken();
    const { stdout } = await exec(process.execPath, [
      '--import',
      'tsx',
      join(import.meta.dirname, 'github/snapshot-child.ts'),
      github.apiUrl,
      token,
      'acme/large',
      commit,
    ]);
    const look = JSON.parse(stdout) as Look;
    const started = performance.now();
    const basic = Buffer.from(`x-access-token:${token}`).toString('base64');
    const header = `http.extraHeader=Authorization: Basic ${basic}`;
    await exec('git', [
      '-c',
      header,
      'clone',
      '-q',
      '--bare',
      '--depth',
      '1',
      `${github.webUrl}/acme/large.git`,
      join(folder, 'clone.git'),
    ]);
    const cloneMs = performance.now() - started;
    const result = {
      files: look.files,
      pagesMb: round(look.pagesMb),
      firstSnapshotMs: round(look.ms),
      maxRssMb: round(look.maxMb),
      idleRssMb: round(look.idleMb),
      gitBareShallowCloneMs: round(cloneMs),
    };
    console.table([result]);
    console.log('goal: 10,000 files, 200 MB, of which the docs are 20 MB, within 512 MB');
    return { github: result };
  } finally {
    await github.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function largeRepository(): Record<string, string> {
  return Object.fromEntries([
    ...Array.from({ length: PAGES }, (_, n) => [`docs/part-${n % 50}/page-${n}.md`, text(n)]),
    ...Array.from({ length: OTHERS }, (_, n) => [
      `assets/part-${n % 100}/image-${n}.png`,
      randomBytes((OTHER_BYTES / 4) * 3).toString('base64'),
    ]),
  ]);
}

/** Prose of few words compresses as prose does. */
function text(seed: number): string {
  const words = [
    'project',
    'workspace',
    'install',
    'the',
    'a',
    'section',
    'configure',
    'server',
    'token',
    'to',
    'and',
    'of',
    'page',
    'search',
    'with',
    'run',
  ];
  let state = seed + 1;
  let result = `# Page ${seed}\n\n`;
  while (result.length < PAGE_BYTES) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    result += `${words[Math.floor(state / 65_536) % words.length]} `;
  }
  return result;
}

function round(value: number): number {
  return Math.round(value);
}
