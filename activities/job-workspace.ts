import type { Queryable } from '../shared/db/pool.ts';
import type { StatementPart } from '../shared/db/statement-part.ts';
import type { Workspace } from '../shared/workspace.ts';
import type { ActivityDeps } from './deps.ts';
import type { RepositoryAddress } from '../hosts/host.ts';
import {
  type Files,
  newBlobs,
  newRevision,
  readBlobs,
  readRevision,
  type Revision,
  type Touched,
} from '../shared/db/jobs/workspace-revisions.ts';
import { blobId, openWorkspace } from './workspace.ts';

export interface LoadedWorkspace {
  revision: Revision;
  workspace: Workspace;
}

/** A revision's files: the snapshot of its base commit with the edits upon it. */
export async function loadWorkspace(
  deps: ActivityDeps,
  address: RepositoryAddress,
  revisionId: string,
  signal: AbortSignal,
): Promise<LoadedWorkspace> {
  const revision = await readRevision(deps.pool, revisionId);
  const [snapshot, edits] = await Promise.all([
    deps.hostFor(address).snapshot(address, revision.base_commit, signal),
    readEdits(deps.pool, revision.files),
  ]);
  return { revision, workspace: openWorkspace(snapshot, edits) };
}

export async function readEdits(db: Queryable, files: Files): Promise<Map<string, Buffer | null>> {
  const blobs = await readBlobs(db, [...new Set(Object.values(files).filter(id => id !== null))]);
  return new Map(
    Object.entries(files).map(([path, id]) => [path, id === null ? null : requireBlob(blobs, id)]),
  );
}

/**
 * What the workspace has become, as a revision below `parent`: its id and what stores it; the
 * parent's id and nothing if nothing is different.
 */
export function nextRevision(
  jobId: string,
  parent: Revision,
  { files, touched, blobs }: EditedFiles,
): { id: string; parts: StatementPart[] } {
  if (sameFiles(files, parent.files)) return { id: parent.id, parts: [] };
  const { base_commit } = parent;
  const { id, part } = newRevision(jobId, parent.id, { base_commit, files, touched });
  return { id, parts: [...(blobs.size > 0 ? [newBlobs(jobId, blobs)] : []), part] };
}

export interface EditedFiles {
  files: Files;
  touched: Touched;
  blobs: Map<string, Buffer>;
}

/**
 * What `workspace` comes to, before a transaction is opened: ids, the job's whole diff, and the
 * bytes of both.
 */
export async function editedFiles(workspace: Workspace, parent: Revision): Promise<EditedFiles> {
  const changes = await workspace.changes();
  const blobs = new Map<string, Buffer>();
  const files: Files = {};
  for (const [path, bytes] of changes) files[path] = bytes === null ? null : keep(blobs, bytes);
  const touched: Touched = {};
  for (const path of new Set([...Object.keys(parent.touched), ...changes.keys()])) {
    const before = parent.touched[path]
      ? parent.touched[path][0]
      : await baseBlob(workspace, path, blobs);
    const after = path in files ? (files[path] ?? null) : await currentBlob(workspace, path, blobs);
    if (before !== after) touched[path] = [before, after];
  }
  return { files, touched, blobs };
}

async function baseBlob(
  workspace: Workspace,
  path: string,
  blobs: Map<string, Buffer>,
): Promise<string | null> {
  const bytes = await workspace.snapshot.read(path);
  return bytes ? keep(blobs, bytes) : null;
}

async function currentBlob(
  workspace: Workspace,
  path: string,
  blobs: Map<string, Buffer>,
): Promise<string | null> {
  const bytes = await workspace.read(path);
  return bytes ? keep(blobs, bytes) : null;
}

function keep(blobs: Map<string, Buffer>, bytes: Buffer): string {
  const id = blobId(bytes);
  blobs.set(id, bytes);
  return id;
}

function sameFiles(a: Files, b: Files): boolean {
  const paths = Object.keys(a);
  return (
    paths.length === Object.keys(b).length && paths.every(path => path in b && a[path] === b[path])
  );
}

function requireBlob(blobs: Map<string, Buffer>, id: string): Buffer {
  const bytes = blobs.get(id);
  if (!bytes) throw new Error(`no blob ${id}`);
  return bytes;
}
