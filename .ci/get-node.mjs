// Other releases of Node, from the registry's package of each, once: `node .ci/get-node.mjs 22` prints
// the path of its program.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { arch, homedir, platform } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Of each major version that Docent runs on, the newest. */
const VERSIONS = { 20: '20.20.2', 22: '22.23.3', 24: '24.21.0' };
const NAME = `node-${platform()}-${arch()}`;

export function getNode(major) {
  const version = VERSIONS[major];
  const folder = join(homedir(), '.cache', 'docent', `node-${version}`);
  const program = join(folder, 'node_modules', NAME, 'bin', 'node');
  if (!existsSync(program)) install(version, folder);
  return program;
}

/** Beside the target, then renamed: an install that is cut leaves no half folder. */
function install(version, folder) {
  console.error(`Getting Node ${version} from the registry (once) …`);
  const half = `${folder}-half-${process.pid}`;
  rmSync(half, { recursive: true, force: true });
  mkdirSync(half, { recursive: true });
  execFileSync('npm', ['install', '--prefix', half, '--no-save', `${NAME}@${version}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  rmSync(folder, { recursive: true, force: true });
  renameSync(half, folder);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  console.log(getNode(process.argv[2]));
