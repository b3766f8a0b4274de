import { diff3Merge } from 'node-diff3';
import type { Snapshot } from '../shared/workspace.ts';

export interface Merged {
  /** The edits as they lie on the new base. */
  edits: Map<string, Buffer | null>;
  /** Paths where both sides changed the same lines: theirs stands, ours is told. */
  conflicts: { path: string; ours: string | null }[];
}

/** Carries edits from one base onto another, file by file, three-way. People's changes are kept where both touched the same lines. */
export async function carryEdits(edits: ReadonlyMap<string, Buffer | null>, from: Snapshot, onto: Snapshot): Promise<Merged> {
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

function mergeFile(base: Buffer | undefined, ours: Buffer | undefined, theirs: Buffer | undefined): Buffer | undefined | 'conflict' {
  if (same(base, theirs)) return ours;
  if (same(ours, theirs) || same(base, ours)) return theirs;
  if (!base || !ours || !theirs) return 'conflict';
  const lines = (bytes: Buffer) => bytes.toString('utf8').split(/(?<=\n)/);
  const regions = diff3Merge(lines(ours), lines(base), lines(theirs), { excludeFalseConflicts: true });
  if (regions.some(region => region.conflict)) return 'conflict';
  return Buffer.from(regions.flatMap(region => region.ok ?? []).join(''), 'utf8');
}

function same(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.equals(b));
}
