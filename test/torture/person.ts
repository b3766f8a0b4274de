import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ATTEMPTS = 12;
const ATTEMPT_MS = 15_000;
const AUTHOR = ['-c', 'user.name=A person', '-c', 'user.email=person@acme.test'];

export const PEOPLE = 'docs/people/';
/** The page that a person's commit adds. */
export const personsPage = (marker: string) => `${PEOPLE}${marker}.md`;

/** Somebody with a clone, who adds a page to the branches of jobs and pushes it. */
export class Person {
  readonly #folder: string;
  readonly #remote: string;
  #last: Promise<unknown> = Promise.resolve();

  /** `remote` holds the credentials; `folder` is made. */
  constructor(folder: string, remote: string) {
    this.#folder = folder;
    this.#remote = remote;
  }

  /** True once the branch is known to hold the page; false if no answer ever told. */
  commit(branch: string, marker: string): Promise<boolean> {
    const done = this.#last.then(() => this.#commit(branch, marker));
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #commit(branch: string, marker: string): Promise<boolean> {
    await mkdir(this.#folder, { recursive: true });
    await this.#git('init', '-q');
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (attempt > 0) await delay(1_000);
      try {
        await this.#git('fetch', '-q', '--depth=1', this.#remote, `refs/heads/${branch}`);
        await this.#git('checkout', '-q', '-f', '-B', 'work', 'FETCH_HEAD');
        // A push whose answer was lost.
        if (await this.#holds(personsPage(marker))) return true;
        await this.#push(branch, marker);
        return true;
      } catch {
        // No answer, or the job was faster: from the branch as it is now.
      }
    }
    return false;
  }

  async #push(branch: string, marker: string): Promise<void> {
    const page = join(this.#folder, personsPage(marker));
    await mkdir(join(page, '..'), { recursive: true });
    await writeFile(page, `---\ntitle: ${marker}\n---\n\nBy a person.\n`);
    await this.#git('add', '.');
    await this.#git(...AUTHOR, 'commit', '-q', '-m', `Add ${marker}`);
    await this.#git('push', '-q', this.#remote, `HEAD:refs/heads/${branch}`);
  }

  async #holds(path: string): Promise<boolean> {
    const { stdout } = await this.#git('ls-tree', '--name-only', 'HEAD', path);
    return stdout.trim() === path;
  }

  #git(...args: string[]) {
    return run('git', args, {
      cwd: this.#folder,
      timeout: ATTEMPT_MS,
      env: { PATH: process.env['PATH'], GIT_TERMINAL_PROMPT: '0' },
    });
  }
}
