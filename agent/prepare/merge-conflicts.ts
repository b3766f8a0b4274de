import { diff3Merge } from 'node-diff3';
import type { Snapshot } from '../../shared/workspace.ts';
import { isBinary, withLineEnds } from '../tools/text.ts';

type Readable = Pick<Snapshot, 'read'>;

export interface Merged {
  /** The edits as they lie on the new base. */
  edits: Map<string, Buffer | null>;
  /**
   * Paths where both sides changed the same lines, or one side is not text: theirs stays, and
   * the model gets a note of ours.
   */
  conflicts: { path: string; ours: string | null }[];
}

/**
 * Carries edits from one base onto another, file by file, three-way. People's changes are kept
 * where both touched the same lines.
 */
export async function carryEdits(
  edits: ReadonlyMap<string, Buffer | null>,
  from: Readable,
  onto: Readable,
): Promise<Merged> {
  const merged: Merged = { edits: new Map(), conflicts: [] };
  for (const [path, ours] of edits) {
    const [base, theirs] = await Promise.all([from.read(path), onto.read(path)]);
    const result = mergeFile(base, ours ?? undefined, theirs);
    if (result === 'conflict') {
      merged.conflicts.push({ path, ours: ours === null ? null : ours.toString('utf8') });
    } else if (!same(result, theirs)) {
      merged.edits.set(path, result ?? null);
    }
  }
  return merged;
}

/** A commit of ours, sent or not: what it changed, and the files before it. */
export interface OwnCommit {
  changes: ReadonlyMap<string, Buffer | null>;
  parent: Readable;
}

/** Carries several onto another base, oldest first, each upon what came of those before it. */
export async function carryCommits(commits: OwnCommit[], onto: Readable): Promise<Merged> {
  const carried: Merged = { edits: new Map(), conflicts: [] };
  for (const { changes, parent } of commits) {
    const { edits, conflicts } = await carryEdits(changes, parent, overlay(onto, carried.edits));
    for (const [path, bytes] of edits) carried.edits.set(path, bytes);
    carried.conflicts.push(...conflicts);
  }
  return carried;
}

/**
 * What makes `snapshot` what it would be without these commits, newest first. What a person
 * changed on top of one stays.
 */
export async function takeBack(commits: OwnCommit[], snapshot: Readable): Promise<Merged> {
  const taken: Merged = { edits: new Map(), conflicts: [] };
  const present = overlay(snapshot, taken.edits);
  for (const { changes, parent } of commits) {
    for (const [path, ours] of changes) {
      const [before, theirs] = await Promise.all([parent.read(path), present.read(path)]);
      const result = mergeFile(ours ?? undefined, before, theirs);
      if (result === 'conflict')
        taken.conflicts.push({ path, ours: before?.toString('utf8') ?? null });
      else taken.edits.set(path, result ?? null);
    }
  }
  return taken;
}

/** Files with edits upon them. */
export function overlay(files: Readable, edits: ReadonlyMap<string, Buffer | null>): Readable {
  return {
    read: async path => (edits.has(path) ? (edits.get(path) ?? undefined) : files.read(path)),
  };
}

function mergeFile(
  base: Buffer | undefined,
  ours: Buffer | undefined,
  theirs: Buffer | undefined,
): Buffer | undefined | 'conflict' {
  if (same(base, theirs)) return ours;
  if (same(ours, theirs) || same(base, ours)) return theirs;
  // What is not UTF-8 would come out of a merge with other characters.
  if (!base || !ours || !theirs || [base, ours, theirs].some(isBinary)) return 'conflict';
  const [before, own, other] = [
    base.toString('utf8'),
    ours.toString('utf8'),
    theirs.toString('utf8'),
  ];
  // If a person's formatter changed every line end, each line is theirs, until the others have
  // theirs as well.
  const merged =
    mergeLines(own, before, other) ??
    mergeLines(withLineEnds(own, other), withLineEnds(before, other), other);
  return merged === undefined ? 'conflict' : Buffer.from(merged, 'utf8');
}

/** Undefined where both changed the same lines. */
function mergeLines(ours: string, base: string, theirs: string): string | undefined {
  const lines = (text: string) => text.split(/(?<=\n)/);
  const regions = diff3Merge(lines(ours), lines(base), lines(theirs), {
    excludeFalseConflicts: true,
  });
  return regions.some(region => region.conflict)
    ? undefined
    : regions.flatMap(region => region.ok ?? []).join('');
}

function same(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.equals(b));
}
