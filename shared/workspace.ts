/** A file's git mode; anything else (links, submodules) is visible but cannot be edited. */
export type FileMode = '100644' | '100755' | '120000' | '160000';

export interface TreeEntry {
  /** Git blob id, hex. */
  id: string;
  mode: FileMode;
  /** Bytes. */
  size: number;
}

/**
 * A repository's files at one commit: immutable, shared, cached on disk. Paths use `/` and have no
 * leading slash.
 */
export interface Snapshot {
  readonly commit: string;
  /** Every path of the commit, in git's order. */
  readonly entries: ReadonlyMap<string, TreeEntry>;
  read(path: string): Promise<Buffer | undefined>;
  /**
   * The file on this machine that contains what `read` returns, if there may be one: for threads,
   * which read many at once. It can be gone, and then `read` fetches it again.
   */
  fileOf?(path: string): string | undefined;
}

/** A snapshot and the edits of one job upon it. What the tools read and write. */
export interface Workspace {
  readonly snapshot: Snapshot;
  /** Every existing path, edits applied, sorted. */
  list(): string[];
  has(path: string): boolean;
  entry(path: string): { mode: FileMode } | undefined;
  read(path: string): Promise<Buffer | undefined>;
  /** UTF-8 text, or undefined if there is no such file. */
  readText(path: string): Promise<string | undefined>;
  write(path: string, content: string | Buffer): void;
  remove(path: string): void;
  /** Paths that differ from the snapshot: bytes, or null if deleted. */
  changes(): Promise<Map<string, Buffer | null>>;
}
