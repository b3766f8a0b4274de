import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { spawnGit } from './git-command.ts';

/** Hands out objects from one `git cat-file --batch`. To be closed. */
export class ObjectReader {
  readonly #git: ChildProcessWithoutNullStreams;
  readonly #output: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);
  #last: Promise<unknown> = Promise.resolve();

  constructor(gitdir: string, environment: Record<string, string> = {}) {
    this.#git = spawnGit([], ['--git-dir', gitdir, 'cat-file', '--batch'], environment);
    this.#output = this.#git.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    this.#git.stdin.on('error', () => undefined); // the output ends then, too
    this.#git.on('error', () => undefined);
  }

  /** The bytes of a blob or a commit, one after the other. Throws if git has it not. */
  async read(id: string): Promise<Buffer> {
    const object = this.#last.then(() => this.#readNow(id));
    this.#last = object.catch(() => undefined);
    return await object;
  }

  close(): void {
    this.#git.kill();
  }

  async #readNow(id: string): Promise<Buffer> {
    this.#git.stdin.write(`${id}\n`);
    let end = this.#rest.indexOf('\n');
    for (; end < 0; end = this.#rest.indexOf('\n')) await this.#need(this.#rest.length + 1);
    const head = this.#rest.toString('latin1', 0, end);
    this.#rest = this.#rest.subarray(end + 1);
    const size = Number(/ (?:blob|commit) (\d+)$/.exec(head)?.[1]);
    if (!Number.isInteger(size)) throw new Error(`git has no content ${id}`);
    await this.#need(size + 1);
    const object = this.#rest.subarray(0, size);
    this.#rest = this.#rest.subarray(size + 1);
    return object;
  }

  async #need(length: number): Promise<void> {
    const chunks = [this.#rest];
    for (let has = this.#rest.length; has < length; has += chunks.at(-1)!.length) {
      const { value, done } = await this.#output.next();
      if (done) throw new Error('git cat-file ended');
      chunks.push(value);
    }
    if (chunks.length > 1) this.#rest = Buffer.concat(chunks);
  }
}
