import { stat } from 'node:fs/promises';
import { join } from 'node:path';

/** More repositories than one host is asked for in a while. */
const MOST_KEPT = 1_000;

/**
 * What git offers to a client of version 2 of its protocol: a list of capabilities that follows
 * from git and the repository's configuration, and names no branch. So git is asked once for each
 * state of the configuration, and not before every fetch.
 */
export class Capabilities {
  readonly #kept = new Map<string, { config: string; list: Buffer }>();

  /** The list of the repository in `folder`; `ask` has git print it. */
  async of(folder: string, ask: () => Promise<Buffer>): Promise<Buffer> {
    const { mtimeMs, size } = await stat(join(folder, 'config'));
    const config = `${mtimeMs} ${size}`;
    const known = this.#kept.get(folder);
    if (known?.config === config) return known.list;
    const list = await ask();
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
    this.#kept.set(folder, { config, list });
    return list;
  }
}
