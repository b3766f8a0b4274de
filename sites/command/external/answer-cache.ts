import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { isObject } from '../../values.ts';
import type { Answer } from './ask-hosts.ts';

const DAY_MS = 24 * 3600 * 1000;
/** A link that works is asked for once a week, one that does not each time. */
const KEPT_MS = 7 * DAY_MS;
const MOST = 50_000;

/** When which address answered that all is well. */
export class AnswerCache {
  readonly #file: string;
  readonly #fine = new Map<string, number>();

  constructor(file: string) {
    this.#file = file;
    for (const [url, at] of Object.entries(stored(file)))
      if (typeof at === 'number' && at <= Date.now() && at > Date.now() - KEPT_MS)
        this.#fine.set(url, at);
  }

  static ofThisUser(): AnswerCache {
    return new AnswerCache(join(homedir(), '.cache', 'docent-check', 'links.json'));
  }

  get(url: string): Answer | undefined {
    return this.#fine.has(url) ? { kind: 'status', status: 200 } : undefined;
  }

  set(url: string, answer: Answer): void {
    if (answer.kind === 'status' && answer.status < 300) this.#fine.set(url, Date.now());
  }

  /** A cache that cannot be written costs time, nothing else. */
  save(): void {
    const latest = [...this.#fine].toSorted((a, b) => b[1] - a[1]).slice(0, MOST);
    const half = `${this.#file}.${process.pid}`;
    try {
      mkdirSync(dirname(this.#file), { recursive: true });
      writeFileSync(half, JSON.stringify(Object.fromEntries(latest)));
      renameSync(half, this.#file);
    } catch {
      return;
    }
  }
}

function stored(file: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
