import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { chmod, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandFailure, EXIT } from '../output/failure.ts';
import { copyFile, isAbsent } from './copy-file.ts';
import { CHECKSUMS, MANIFEST, type Manifest } from './manifest.ts';

/** A backup that is being written. Paths in it have `/` between their parts. */
export class BackupFolder {
  readonly #folder: string;
  readonly #sums = new Map<string, string>();
  readonly #folders = new Set<string>();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Makes the folder, or takes an empty one. Throws `CommandFailure`. */
  static async create(folder: string): Promise<BackupFolder> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const [first] = await readdir(folder);
    if (first !== undefined)
      throw new CommandFailure(
        `${folder} is not empty: name a folder that does not exist yet.`,
        EXIT.usage,
      );
    await chmod(folder, 0o700);
    return new BackupFolder(folder);
  }

  /** Where a path of the backup is on this machine. */
  at(path: string): string {
    return join(this.#folder, path);
  }

  async folder(path: string): Promise<void> {
    await mkdir(this.at(path), { recursive: true, mode: 0o700 });
    this.#folders.add(path);
  }

  /** False if there is no such file: it may have been removed since its folder was listed. */
  async file(from: string, path: string): Promise<boolean> {
    try {
      this.#sums.set(path, await copyFile(from, this.at(path)));
      return true;
    } catch (error) {
      if (isAbsent(error)) return false;
      throw error;
    }
  }

  async text(path: string, content: string): Promise<void> {
    const file = await open(this.at(path), 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.datasync();
    } finally {
      await file.close();
    }
    this.#sums.set(path, createHash('sha256').update(content).digest('hex'));
  }

  /**
   * Copies the files below `from`. `skip` gets paths relative to it; the content of a folder can be
   * skipped without the folder by its path with a `/` at the end.
   */
  async tree(from: string, path: string, skip: (relative: string) => boolean): Promise<void> {
    await this.folder(path);
    await this.#branch(from, path, '', skip);
  }

  async #branch(
    from: string,
    path: string,
    below: string,
    skip: (relative: string) => boolean,
  ): Promise<void> {
    const entries: Dirent[] = await readdir(join(from, below), { withFileTypes: true }).catch(
      (error: unknown) => {
        if (isAbsent(error)) return [];
        throw error;
      },
    );
    for (const entry of entries) {
      const relative = `${below}${entry.name}`;
      if (skip(relative)) continue;
      if (entry.isDirectory()) {
        await this.folder(`${path}/${relative}`);
        if (!skip(`${relative}/`)) await this.#branch(from, path, `${relative}/`, skip);
      } else if (entry.isFile()) await this.file(join(from, relative), `${path}/${relative}`);
      else throw new CommandFailure(`${join(from, relative)} is neither a file nor a folder.`);
    }
  }

  /** The checksums come last: without them it is not a whole backup. */
  async finish(about: Omit<Manifest, 'folders' | 'files' | 'format'>): Promise<Manifest> {
    const manifest: Manifest = {
      format: 1,
      ...about,
      folders: [...this.#folders],
      files: this.#sums.size,
    };
    await this.text(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`);
    const lines = [...this.#sums].map(([path, sum]) => `${sum}  ${path}\n`);
    await this.text(CHECKSUMS, lines.join(''));
    return manifest;
  }

  /** Removes what was written; the folder itself may have been there before. */
  async discard(): Promise<void> {
    for (const name of await readdir(this.#folder))
      await rm(join(this.#folder, name), { recursive: true, force: true });
  }
}
