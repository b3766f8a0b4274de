import { RepositoryError } from '../repository-error.ts';
import type { CommitPlan } from '../host.ts';
import type { Author } from '../../shared/jobs/commit-author.ts';
import {
  commitObject,
  type GitObject,
  gitObject,
  inGitOrder,
  treeObject,
  type TreeLine,
} from './objects.ts';
import type { StoredEntry, StoredSnapshot } from './stored-snapshot.ts';

/** A commit with all that the remote may lack of it. */
export interface BuiltCommit {
  commit: string;
  tree: string;
  /** Blobs, trees, then the commit. */
  objects: GitObject[];
  /** The files at the commit, and its folders' tree ids. */
  entries: Map<string, StoredEntry>;
  trees: Map<string, string>;
  /** Unix seconds. */
  time: number;
}

/**
 * Writes the changed paths onto the parent's tree. Only folders on the way to a change get a new
 * tree, so nothing but the parent's listing is read. Files keep their mode; new ones are 100644.
 */
export function buildCommit(parent: StoredSnapshot, plan: CommitPlan, author: Author): BuiltCommit {
  const objects: GitObject[] = [];
  const entries = new Map(parent.entries);
  for (const [path, bytes] of plan.changes) {
    const before = entries.get(path);
    if (bytes === null) {
      entries.delete(path);
      continue;
    }
    const blob = gitObject('blob', bytes);
    objects.push(blob);
    entries.set(path, { id: blob.id, mode: before?.mode ?? '100644', size: bytes.length });
  }
  const { root, trees } = buildTrees(parent, entries, [...plan.changes.keys()], objects);
  // Git's walks, and people's logs, go by time: a child is never older than its parent, whatever
  // another clock said.
  const time = Math.max(plan.time, parent.time);
  const commit = commitObject({
    tree: root,
    parent: plan.parent,
    author,
    time,
    message: plan.message,
  });
  objects.push(commit);
  return { commit: commit.id, tree: root, objects, entries: inGitOrder(entries), trees, time };
}

function buildTrees(
  parent: StoredSnapshot,
  entries: Map<string, StoredEntry>,
  changed: string[],
  objects: GitObject[],
) {
  const dirty = new Map<string, Map<string, TreeLine>>([['', new Map()]]);
  for (const path of changed) {
    for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder))
      dirty.set(folder, new Map());
  }
  const trees = new Map<string, string>();
  for (const [folder, id] of parent.trees) if (!dirty.has(folder)) trees.set(folder, id);
  for (const [path, { mode, id }] of entries)
    place(dirty, trees, path, { name: nameOf(path), mode, id });
  // Deepest first: a folder's id is part of its parent's tree.
  for (const folder of [...dirty.keys()].sort((a, b) => depth(b) - depth(a))) {
    const lines = [...(dirty.get(folder)?.values() ?? [])];
    if (lines.length === 0 && folder !== '') continue;
    const tree = treeObject(lines);
    objects.push(tree);
    trees.set(folder, tree.id);
    if (folder !== '')
      addLine(dirty, folderOf(folder), { name: nameOf(folder), mode: '40000', id: tree.id });
  }
  const kept = new Set(['']);
  for (const path of entries.keys())
    for (let folder = folderOf(path); !kept.has(folder); folder = folderOf(folder))
      kept.add(folder);
  for (const folder of trees.keys()) if (!kept.has(folder)) trees.delete(folder);
  return { root: trees.get('') as string, trees };
}

/**
 * Puts a file into its folder's tree or, where that folder is untouched, its topmost untouched
 * folder into the tree above.
 */
function place(
  dirty: Map<string, Map<string, TreeLine>>,
  trees: Map<string, string>,
  path: string,
  line: TreeLine,
): void {
  let child = path;
  let folder = folderOf(path);
  while (!dirty.has(folder)) {
    child = folder;
    folder = folderOf(folder);
  }
  if (child === path) addLine(dirty, folder, line);
  else
    addLine(dirty, folder, { name: nameOf(child), mode: '40000', id: trees.get(child) as string });
}

function addLine(dirty: Map<string, Map<string, TreeLine>>, folder: string, line: TreeLine): void {
  // isomorphic-git reads names as UTF-8; one that is not would be written back as another name.
  if (line.name.includes('\uFFFD'))
    throw new RepositoryError(
      'push_refused',
      `A name in ${folder || 'the root folder'} is not UTF-8; files beside it cannot be changed.`,
    );
  const lines = dirty.get(folder);
  const before = lines?.get(line.name);
  if (before && before.mode !== line.mode)
    throw new RepositoryError(
      'push_refused',
      `${folder ? `${folder}/` : ''}${line.name} would be a file and a folder at once.`,
    );
  lines?.set(line.name, line);
}

function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function depth(folder: string): number {
  return folder === '' ? 0 : folder.split('/').length;
}
