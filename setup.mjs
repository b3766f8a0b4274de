// Sees to what the commands in package.json need, with nothing but Node: dependencies and git, with
// --build the compiled sources, with --pack those and no git, and with --tests all of it and Chromium.
import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const ROOT = import.meta.dirname;
const CHROMIUM_NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19))
  fail(`Docent needs Node 20.19 or newer; this is ${process.versions.node}.`);
if (!isInstalled()) {
  console.error('Installing dependencies …');
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
}
await buildDashboard();
const asked = flag => process.argv.includes(flag);
if (['--build', '--pack', '--tests'].some(asked)) await buildSources();
if (!asked('--pack') && !onPath(['git'])) installPackages('git', ['git']);
if (asked('--tests') && !onPath(CHROMIUM_NAMES))
  installPackages(
    'Chromium, for the tests in a browser',
    ['chromium', 'fonts-liberation'],
    ['chromium-headless-shell', 'fonts-liberation'],
  );

/**
 * The browser app is the one thing that is built; an install without the development packages comes
 * with it built.
 */
async function buildDashboard() {
  const built = existsSync(join(ROOT, 'dashboard', 'dist', 'index.html'));
  if (built && !existsSync(join(ROOT, 'node_modules', 'vite'))) return;
  const { buildDashboard: build } = await import('./dashboard/build.mjs');
  if (!built) console.error('Building the dashboard …');
  await build();
}

/**
 * Each process and thread would load hundreds of sources, for a second of CPU or two: tests start
 * hundreds, and `npm start` two.
 */
async function buildSources() {
  const { builtFile } = await import('./bin/built.mjs');
  if (builtFile('docent.mjs')) return;
  console.error('Compiling the sources …');
  run(process.execPath, [join(ROOT, 'bin', 'build.mjs')]);
}

/**
 * Compares what npm wrote down of node_modules with the lock file; times would lie after a
 * checkout.
 */
function isInstalled() {
  const present = join(ROOT, 'node_modules', '.package-lock.json');
  if (!existsSync(present)) return false;
  const packagesOf = file => JSON.parse(readFileSync(file, 'utf8')).packages;
  const installed = packagesOf(present);
  return Object.entries(packagesOf(join(ROOT, 'package-lock.json'))).every(
    ([path, wanted]) =>
      path === '' ||
      isWorkspace(path, wanted) ||
      installed[path]?.version === wanted.version ||
      (wanted.optional && !installed[path]),
  );
}

/** Our own packages, which are in place without an installation, and npm's links to them. */
function isWorkspace(path, { link }) {
  return link === true || !path.includes('node_modules/');
}

/**
 * Installs Debian packages where we may, `lighter` ones if there are such; elsewhere says what is
 * missing and leaves the judgement to what needs it.
 */
function installPackages(what, packages, lighter = packages) {
  if (process.getuid?.() !== 0 || !onPath(['apt-get'])) {
    console.error(
      `Missing: ${what}. Install it with your package manager ` +
        `(Debian: apt-get install ${packages.join(' ')}).`,
    );
    return;
  }
  console.error(`Installing ${what} …`);
  const apt = (...args) =>
    spawnSync('apt-get', ['-qq', ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0;
  apt('update');
  const install = names => apt('install', '--yes', '--no-install-recommends', ...names);
  if (!install(lighter) && !install(packages))
    console.error(`Could not install ${packages.join(', ')}.`);
}

function onPath(names) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names.some(name => folders.some(folder => isExecutable(join(folder, name))));
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function run(command, args) {
  try {
    execFileSync(command, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
  } catch {
    fail(`${command} ${args[0]} failed.`);
  }
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
