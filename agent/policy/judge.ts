import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { rememberByContent } from '../content-cache.ts';
import type { ContentItem, SiteReading } from './content/item.ts';
import type { Answers, FromThread, Question } from './judge-thread.ts';
import type { Secret } from './secrets/secrets.ts';

/**
 * For one file, of CPU: a page of 1 MiB takes a second, a thread of its own included. A machine
 * that gives this process none (busy, frozen) says nothing about a page.
 */
export const MOST_SECONDS = 20;
/** And of time, so that no activity waits forever. */
const PATIENCE_SECONDS = 90;
const MOST_MEMORY_MB = 768;
/** For parsers that call themselves: the usual 4 MB are little for 20,000 characters. */
const STACK_MB = 32;
/** Each has 60 MB; a worker judges one page at a time, but for its other jobs. */
const MOST_THREADS = Math.min(2, availableParallelism());
/** An idle thread gives its memory back. */
export const IDLE_MS = 60_000;
const LOOK_EVERY_MS = 500;
const REMEMBERED = 2_000;

/**
 * A text took too long to judge, or too much memory: nothing is known of it, so it is refused. That
 * is remembered of the text, unless it may be the machine's fault.
 */
export class Unjudged extends Error {}

/**
 * Everything in a page or SVG file that is not on the list of what any page may have, in the order
 * in which it stands there. Throws `Unjudged`.
 */
export async function contentItems(
  path: string,
  text: string,
  site: SiteReading,
): Promise<ContentItem[]> {
  const reading = `${site.plainPython} ${site.templatesInCode}`;
  const judge = readings.get(reading) ?? judgeFor(site);
  readings.set(reading, judge);
  return judged(await judge(path, text));
}

/** Every text in a file's content that looks like a secret. Throws `Unjudged`. */
export async function findSecrets(content: string): Promise<Secret[]> {
  return judged(await secretsOf('', content));
}

const judgeFor = (site: SiteReading) =>
  rememberByContent((path, text) => ask({ kind: 'content', path, text, site }), REMEMBERED);
/** What is remembered, for each way in which sites are read. */
const readings = new Map<string, ReturnType<typeof judgeFor>>();
const secretsOf = rememberByContent((_path, text) => ask({ kind: 'secrets', text }), REMEMBERED);

function judged<T>(answer: T | Unjudged): T {
  if (answer instanceof Unjudged) throw answer;
  return answer;
}

interface Pending {
  question: Question;
  resolve: (answer: Answers[keyof Answers] | Unjudged) => void;
  reject: (error: Error) => void;
}

const waiting: Pending[] = [];
const threads = new Set<JudgeThread>();

function ask<Q extends Question>(question: Q): Promise<Answers[Q['kind']] | Unjudged> {
  return new Promise((resolve, reject) => {
    const settle = resolve as Pending['resolve'];
    waiting.push({ question, resolve: settle, reject });
    handOut();
  });
}

function handOut(): void {
  if (waiting.length === 0) return;
  let idle = [...threads].find(thread => thread.isIdle);
  if (!idle && threads.size < MOST_THREADS) {
    idle = new JudgeThread();
    threads.add(idle);
  }
  if (idle) idle.judge(waiting.shift()!);
}

/** Judges one text at a time, so that ending it for one that takes too long harms no other. */
class JudgeThread {
  readonly #thread = new Worker(join(import.meta.dirname, 'judge-worker.mjs'), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB, stackSizeMb: STACK_MB },
  });
  #pending: Pending | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    this.#thread.on('message', (message: FromThread) => {
      if ('answer' in message) this.#settle(({ resolve }) => resolve(message.answer));
      else if (message.isTooComplex)
        this.#settle(({ resolve }) => resolve(new Unjudged(message.failure)));
      else this.#settle(({ reject }) => reject(new Error(`Not judged: ${message.failure}`)));
    });
    this.#thread.on('error', (error: Error & { code?: unknown }) => {
      const isTooLarge = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      this.#end(isTooLarge ? new Unjudged(`It takes more than ${MOST_MEMORY_MB} MB.`) : error);
    });
    this.#thread.on('exit', () => this.#end(new Error('The thread that judges pages ended.')));
  }

  get isIdle(): boolean {
    return this.#pending === undefined;
  }

  judge(pending: Pending): void {
    this.#pending = pending;
    clearTimeout(this.#timer);
    this.#timer = setInterval(this.#watch, LOOK_EVERY_MS, performance.now(), process.cpuUsage());
    this.#timer.unref();
    this.#thread.ref();
    this.#thread.postMessage(pending.question);
  }

  readonly #watch = (began: number, before: NodeJS.CpuUsage): void => {
    const seconds = (performance.now() - began) / 1000;
    const { user, system } = process.cpuUsage(before);
    if (seconds > MOST_SECONDS && (user + system) / 1e6 > MOST_SECONDS)
      this.#end(new Unjudged(`It takes more than ${MOST_SECONDS} seconds.`));
    else if (seconds > PATIENCE_SECONDS) {
      // Not remembered: the next one who asks may have a better time.
      this.#pending?.reject(new Unjudged(`It takes more than ${PATIENCE_SECONDS} seconds.`));
      this.#pending = undefined;
      this.#end(new Error('The thread was given up.'));
    }
  };

  #settle(then: (pending: Pending) => void): void {
    const pending = this.#pending;
    this.#pending = undefined;
    // An idle thread keeps no process alive.
    this.#thread.unref();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end(new Error('The thread was idle.')), IDLE_MS).unref();
    if (pending) then(pending);
    handOut();
  }

  #end(error: Error): void {
    if (!threads.delete(this)) return;
    clearTimeout(this.#timer);
    void this.#thread.terminate();
    if (error instanceof Unjudged) this.#pending?.resolve(error);
    else this.#pending?.reject(error);
    handOut();
  }
}
