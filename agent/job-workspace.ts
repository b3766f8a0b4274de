import { createHash } from 'node:crypto';
import type { Queryable } from '../db/pool.ts';
import type { StatementPart } from '../db/statement-part.ts';
import type { Workspace } from '../shared/workspace.ts';
import type { ActivityDeps } from './deps.ts';
import type { KeptRevision } from './kept-revisions.ts';
import type { RepositoryAddress } from '../hosts/host.ts';
import {
  type Files,
  newBlobs,
  newRevision,
  readBlobs,
  readRevision,
  type Revision,
  type Touched,
} from '../db/jobs/workspace-revisions.ts';
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
  const { revision, edits } = deps.revisions.get(revisionId) ?? (await readKept(deps, revisionId));
  const host = deps.hostFor(address);
  const snapshot = await host.snapshot(address, revision.base_commit, signal);
  return { revision, workspace: openWorkspace(snapshot, edits) };
}

async function readKept({ pool, revisions }: ActivityDeps, id: string): Promise<KeptRevision> {
  const revision = await readRevision(pool, id);
  const kept = { revision, edits: await readEdits(pool, revision.files) };
  revisions.set(id, kept);
  return kept;
}

export async function readEdits(db: Queryable, files: Files): Promise<Map<string, Buffer | null>> {
  const ids = new Set(Object.values(files).filter(id => id !== null));
  return editsOf(files, await readBlobs(db, [...ids]));
}

function editsOf(files: Files, blobs: ReadonlyMap<string, Buffer>): Map<string, Buffer | null> {
  return new Map(
    Object.entries(files).map(([path, id]) => [path, id === null ? null : requireBlob(blobs, id)]),
  );
}

/**
 * What the workspace has become, as a revision below `parent`: its id and what stores it; the
 * parent's id and nothing if nothing is different.
 */
export function nextRevision(
  deps: ActivityDeps,
  jobId: string,
  parent: Revision,
  edited: EditedFiles,
): { id: string; parts: StatementPart[] } {
  if (sameFiles(edited.files, parent.files)) return { id: parent.id, parts: [] };
  return storedRevision(deps, jobId, parent.id, parent.base_commit, edited);
}

/** A revision below another one: its id, and what stores it. */
export function storedRevision(
  { revisions }: ActivityDeps,
  jobId: string,
  parent: string | null,
  base_commit: string,
  { files, touched, blobs }: EditedFiles,
): { id: string; parts: StatementPart[] } {
  const { id, part } = newRevision(jobId, parent, { base_commit, files, touched });
  revisions.set(id, {
    revision: { id, base_commit, files, touched },
    edits: editsOf(files, blobs),
  });
  return { id, parts: [...(blobs.size > 0 ? [newBlobs(jobId, blobs)] : []), part] };
}

/** The same for the same edits, whatever came between. */
export function digestOf({ files }: Pick<EditedFiles, 'files'>): string {
  const edits = Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(edits)).digest('hex').slice(0, 16);
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

function requireBlob(blobs: ReadonlyMap<string, Buffer>, id: string): Buffer {
  const bytes = blobs.get(id);
  if (!bytes) throw new Error(`no blob ${id}`);
  return bytes;
}
