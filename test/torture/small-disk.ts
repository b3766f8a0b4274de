import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const MEGABYTES = 300;
const BLOCK = Buffer.alloc(1 << 20);

/** A file system of its own, small enough to be filled; only root may mount one. */
export class SmallDisk {
  readonly #folder: string;
  readonly #ballast: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.#ballast = join(folder, 'ballast');
  }

  /** Throws if none may be mounted here. */
  static mount(folder: string, megabytes = MEGABYTES): SmallDisk {
    mkdirSync(folder, { recursive: true });
    const size = `size=${megabytes}m,mode=755`;
    execFileSync('mount', ['-t', 'tmpfs', '-o', size, 'docent-torture', folder], { stdio: 'pipe' });
    return new SmallDisk(folder);
  }

  /** Not one more byte fits, for so long. */
  async fill(ms: number): Promise<void> {
    const file = openSync(this.#ballast, 'w');
    try {
      for (;;) writeSync(file, BLOCK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      closeSync(file);
    }
    await new Promise(resolve => setTimeout(resolve, ms));
    rmSync(this.#ballast);
  }

  unmount(): void {
    execFileSync('umount', ['--lazy', this.#folder], { stdio: 'pipe' });
  }
}

/** One in each folder; none if none may be mounted here. */
export function mountDisks(folders: Record<string, string>): Record<string, SmallDisk> {
  try {
    return Object.fromEntries(
      Object.entries(folders).map(([name, folder]) => [name, SmallDisk.mount(folder)]),
    );
  } catch (error) {
    console.error(
      `No disk gets full: a small file system cannot be mounted here. ${String(error)}`,
    );
    return {};
  }
}
