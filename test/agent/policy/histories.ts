import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { policyViolations } from '../../../agent/policy/policy.ts';
import type { Violation } from '../../../agent/policy/violation.ts';
import { openWorkspace } from '../../../agent/workspace.ts';
import type { ObjectReader } from '../../../hosts/git/object-reader.ts';
import type { FileMode, Snapshot, TreeEntry } from '../../../shared/workspace.ts';

/** Public repositories of each kind of site: kind, owner and name, folder of its pages. */
export const REPOSITORIES: readonly [kind: string, name: string, docsFolder: string][] = [
  ['docs.json', 'mintlify/docs', ''],
  ['docs.json', 'ollama/ollama', 'docs'],
  ['docs.json', 'modelcontextprotocol/modelcontextprotocol', 'docs'],
  ['docusaurus', 'reduxjs/redux-toolkit', 'docs'],
  ['docusaurus', 'facebook/react-native-website', 'docs'],
  ['docusaurus', 'electron/website', 'docs'],
  ['mkdocs', 'squidfunk/mkdocs-material', 'docs'],
  ['mkdocs', 'fastapi/typer', 'docs'],
  ['mkdocs', 'argoproj/argo-cd', 'docs'],
  ['mkdocs', 'privacyguides/privacyguides.org', 'docs'],
  ['mkdocs', 'encode/httpx', 'docs'],
  ['mkdocs', 'pydantic/pydantic', 'docs'],
  ['starlight', 'withastro/starlight', 'docs'],
  ['starlight', 'tauri-apps/tauri-docs', 'src/content/docs'],
  ['vitepress', 'vuejs/vitepress', 'docs'],
  ['vitepress', 'vuejs/router', 'packages/docs'],
  ['vitepress', 'honojs/website', 'docs'],
  ['vitepress', 'FabricMC/fabric-docs', ''],
  ['mdbook', 'rust-lang/mdBook', 'guide'],
  ['mdbook', 'rust-lang/book', 'src'],
  ['mdbook', 'rust-lang/rustc-dev-guide', 'src'],
  ['hugo', 'google/docsy', ''],
  ['hugo', 'letsencrypt/website', 'content'],
  ['hugo', 'fluxcd/website', 'content'],
  ['hugo', 'imfing/hextra', 'exampleSite/content'],
  ['sphinx', 'executablebooks/MyST-Parser', 'docs'],
  ['sphinx', 'jupyterhub/jupyterhub', 'docs'],
  ['sphinx', 'pallets/flask', 'docs'],
  ['sphinx', 'readthedocs/sphinx_rtd_theme', 'docs'],
  ['folder', 'prometheus/docs', ''],
  ['folder', 'just-the-docs/just-the-docs', 'docs'],
  ['folder', 'shuding/nextra', 'docs'],
  ['folder', 'denoland/docs', ''],
];

const PAGE = /\.(?:mdx?|markdown|rst)$/;
const IMAGE = /\.(?:png|jpe?g|gif|webp|avif|ico|svg)$/;
/** Pages of the repository, not of its site; and those that only people change. */
const NOT_OF_THE_SITE =
  /(?:^|\/)(?:CHANGELOG|CHANGES|README|AGENTS|CLAUDE|SKILL|CONTRIBUTING|SECURITY)[.\w]*$|(?:^|\/)(?:node_modules|__tests__|tests?|\.[^/]+)\//i;
const MOST_PAGES = 8;
const COMMITS = 1_500;

/** The git directory of a repository, or undefined if it is not in the folder. */
export function gitDirectory(folder: string, name: string): string | undefined {
  const base = join(folder, name.replace('/', '+'));
  return ['', 'repo', '.git']
    .map(part => join(base, part))
    .find(at => existsSync(join(at, 'HEAD')));
}

interface Change {
  path: string;
  id: string | null;
}

/** A commit of people: its parent's tree, and what it does to the pages and images of the site. */
export interface HistoricChange {
  commit: string;
  changes: Change[];
}

function git(gitdir: string, ...args: string[]): string {
  return execFileSync('git', ['--git-dir', gitdir, '-c', 'core.quotepath=off', ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
}

/** Commits that change up to eight pages and add three lines or more, drawn by the seed. */
export function drawChanges(
  gitdir: string,
  docsFolder: string,
  { seed, most }: { seed: number; most: number },
): HistoricChange[] {
  const under = docsFolder === '' ? ['*.md', '*.mdx', '*.rst'] : [docsFolder];
  const listed = git(gitdir, 'log', '--no-merges', `-n${COMMITS}`, '--format=%H %P', '--', ...under)
    .split('\n')
    // The first commit has no parent; a snapshot may end before others.
    .flatMap(line => (/^\w+ \w+$/.test(line) ? [line.slice(0, line.indexOf(' '))] : []));
  const drawn: HistoricChange[] = [];
  let state = seed;
  while (listed.length > 0 && drawn.length < most) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const [commit = ''] = listed.splice(Math.floor((state / 2 ** 32) * listed.length), 1);
    const changes = changesOf(gitdir, commit, docsFolder);
    if (changes) drawn.push({ commit, changes });
  }
  return drawn;
}

/** Undefined for a commit whose pages nobody would write in one job, or that adds nothing. */
function changesOf(gitdir: string, commit: string, docsFolder: string): Change[] | undefined {
  const isOfSite = (path: string) =>
    path.startsWith(docsFolder === '' ? '' : `${docsFolder}/`) && !NOT_OF_THE_SITE.test(path);
  const diff = (form: string, ...paths: string[]) =>
    git(
      gitdir,
      'diff-tree',
      '--no-commit-id',
      '--no-renames',
      '-r',
      form,
      commit,
      '--',
      ...paths,
    ).split('\n');
  const changes = diff('--raw').flatMap(line => {
    const [, mode, id = '', path = ''] = /^:\d+ (\d+) \w+ (\w+) \w\t(.*)$/.exec(line) ?? [];
    const isOne = (PAGE.test(path) || IMAGE.test(path)) && isOfSite(path);
    return isOne && /^(?:100644|000000)$/.test(mode ?? '')
      ? [{ path, id: mode === '000000' ? null : id }]
      : [];
  });
  const pages = changes.filter(({ path, id }) => PAGE.test(path) && id !== null);
  if (pages.length === 0 || pages.length > MOST_PAGES) return undefined;
  // Of the pages alone: a snapshot may leave large files out.
  const added = diff('--numstat', ...pages.map(({ path }) => path));
  return added.some(line => parseInt(line, 10) >= 3) ? changes : undefined;
}

/** What the policy would say to a job that makes the change, up to the names of files. */
export async function judgeChange(
  reader: ObjectReader,
  gitdir: string,
  docsFolder: string,
  { commit, changes }: HistoricChange,
): Promise<Violation[]> {
  const snapshot = parentOf(reader, gitdir, commit);
  const edits = new Map<string, Buffer | null>();
  for (const { path, id } of changes) edits.set(path, id === null ? null : await reader.read(id));
  const found = await policyViolations(openWorkspace(snapshot, edits), {
    docsFolder,
    allowMdxCode: false,
  });
  return found.filter(({ rule }) => OF_CONTENT.test(rule));
}

/** The rules of what is in a file; what a job may name a file is not asked here. */
const OF_CONTENT = /^(?:front-matter|markup|template|mdx-code|script|embed|secret|too-complex)$/;

function parentOf(reader: ObjectReader, gitdir: string, commit: string): Snapshot {
  const entries = new Map<string, TreeEntry>();
  for (const line of git(gitdir, 'ls-tree', '-r', '-l', `${commit}^`).split('\n')) {
    const [, mode, id = '', size, path = ''] = /^(\d+) \w+ (\w+) +(\S+)\t(.*)$/.exec(line) ?? [];
    if (path !== '') entries.set(path, { id, mode: mode as FileMode, size: Number(size) || 0 });
  }
  const read = async (path: string) => {
    const entry = entries.get(path);
    // What a snapshot leaves out is no page.
    return entry && (await reader.read(entry.id).catch(() => undefined));
  };
  return { commit: `${commit}^`, entries, read };
}
