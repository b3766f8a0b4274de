import type { Snapshot, TreeEntry } from '../../shared/workspace.ts';

export type StoredEntry = TreeEntry;

/**
 * A snapshot with the tree id of every folder ('' is the root), so that a commit upon it needs no
 * git object.
 */
export interface StoredSnapshot extends Snapshot {
  readonly trees: ReadonlyMap<string, string>;
  /** When it was committed, Unix seconds. */
  readonly time: number;
}

/** A snapshot's members that are listed on disk. */
export type Listed = Pick<StoredSnapshot, 'entries' | 'trees' | 'time'>;
