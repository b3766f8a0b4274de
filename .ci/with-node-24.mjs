#!/usr/bin/env node
// Runs the tests on Node 24, the release that the image runs on, from the registry's package of it:
// npm run test:node24 -- test/git
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { arch, homedir, platform } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { env } from 'node:process';

const VERSION = '24.21.0';
const NAME = `node-${platform()}-${arch()}`;
const FOLDER = join(homedir(), '.cache', 'docent', `node-${VERSION}`);
const NODE = join(FOLDER, 'node_modules', NAME, 'bin', 'node');

if (!existsSync(NODE)) install();
const path = `${dirname(NODE)}${delimiter}${env.PATH}`;
const { status } = spawnSync('npm', ['test', '--', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...env, PATH: path },
});
process.exitCode = status ?? 1;

/** Beside the target, then renamed: an install that is cut leaves no half folder. */
function install() {
  console.error(`Getting Node ${VERSION} from the registry (once) …`);
  const half = `${FOLDER}-half-${process.pid}`;
  rmSync(half, { recursive: true, force: true });
  mkdirSync(half, { recursive: true });
  execFileSync('npm', ['install', '--prefix', half, '--no-save', `${NAME}@${VERSION}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  rmSync(FOLDER, { recursive: true, force: true });
  renameSync(half, FOLDER);
}
