import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { WantedSite } from '../../sites/project-site.ts';
import { isReadForSite, isSiteFile } from '../../search/site/site-texts.ts';
import type { Snapshot, Workspace } from '../../shared/workspace.ts';
import type { SiteAnswers, SiteQuestion } from './site-questions.ts';
import type { FromThread, ToThread } from './site-thread.ts';

/** A site of 10,000 pages takes some seconds to be read for the first time. */
const TIMEOUT_MS = 2 * 60_000;
const MOST_MEMORY_MB = 1_536;
/** Characters that go to the thread in one message: each is copied at once. */
const PORTION = 1_000_000;
/** Bytes of all texts of a site: files beyond them count as empty. */
const LARGEST_SITE = 192 * 1024 * 1024;

interface Pending {
  snapshot: Snapshot;
  ask: Extract<ToThread, { type: 'ask' }>;
  resolve(answer: unknown): void;
  reject(error: Error): void;
  timeout: NodeJS.Timeout;
}

/** One thread for a process: it keeps the pages that it has read. */
let thread: { worker: Worker; pending: Map<number, Pending> } | undefined;
let asked = 0;

/**
 * Asks about a workspace's site. Reading a site takes 100 ms for 1,000 pages, and more the first
 * time, hence the thread. Throws if it fails or takes too long.
 */
export async function askSite<Q extends SiteQuestion>(
  workspace: Workspace,
  project: WantedSite,
  question: Q,
): Promise<SiteAnswers[Q['kind']]> {
  const { snapshot } = workspace;
  const changes = await workspace.changes();
  const edits = [...changes].map(([path, bytes]): [string, string | null] => [
    path,
    bytes === null ? null : textOf(bytes),
  ]);
  const { docsFolder, kind = null, basePath = null } = project;
  return new Promise((resolve, reject) => {
    const { worker, pending } = (thread ??= startThread());
    const id = (asked += 1);
    const ask = {
      type: 'ask' as const,
      id,
      commit: snapshot.commit,
      edits,
      project: { docsFolder, kind, basePath },
      question,
    };
    const timeout = setTimeout(() => void worker.terminate(), TIMEOUT_MS);
    const done = resolve as (answer: unknown) => void;
    pending.set(id, { snapshot, ask, resolve: done, reject, timeout });
    worker.ref();
    worker.postMessage(ask);
  });
}

function startThread(): { worker: Worker; pending: Map<number, Pending> } {
  const pending = new Map<number, Pending>();
  const worker = new Worker(join(import.meta.dirname, 'site-worker.mjs'), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
  });
  const own = { worker, pending };
  const fail = (error: Error): void => {
    if (thread === own) thread = undefined;
    for (const one of pending.values()) {
      clearTimeout(one.timeout);
      one.reject(error);
    }
    pending.clear();
  };
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('Reading the site took too long.')));
  worker.on('message', (message: FromThread) => {
    const one = pending.get(message.id);
    if (one)
      void hear(worker, message, one).catch(error =>
        settle(own, one, () => one.reject(error as Error)),
      );
    if (one && (message.type === 'answer' || message.type === 'failure'))
      settle(own, one, () =>
        message.type === 'answer'
          ? one.resolve(message.answer)
          : one.reject(new Error(`The site could not be read: ${message.message}`)),
      );
  });
  return own;
}

function settle(
  { worker, pending }: { worker: Worker; pending: Map<number, Pending> },
  { ask, timeout }: Pending,
  then: () => void,
): void {
  clearTimeout(timeout);
  pending.delete(ask.id);
  // An idle thread keeps no process alive.
  if (pending.size === 0) worker.unref();
  then();
}

async function hear(
  worker: Worker,
  message: FromThread,
  { snapshot, ask }: Pending,
): Promise<void> {
  const post = (reply: ToThread) => worker.postMessage(reply);
  if (message.type === 'lacks-commit')
    post({ ...ask, entries: entriesOf(snapshot), others: othersOf(snapshot) });
  if (message.type !== 'lacks-texts') return;
  let portion: [string, string][] = [];
  let size = 0;
  for (const [path, blob] of message.paths) {
    const bytes = await snapshot.read(path);
    const text = bytes === undefined ? '' : textOf(bytes);
    portion.push([blob, text]);
    if ((size += text.length) < PORTION) continue;
    post({ type: 'texts', id: ask.id, texts: portion, isLast: false });
    portion = [];
    size = 0;
    await setImmediate(); // where reading waits for nothing, all portions would be one turn
  }
  post({ type: 'texts', id: ask.id, texts: portion, isLast: true });
}

function entriesOf({ entries }: Snapshot): [string, string | null][] {
  let room = LARGEST_SITE;
  const result: [string, string | null][] = [];
  for (const [path, entry] of entries) {
    if (!isSiteFile(path, entry)) continue;
    const isRead = isReadForSite(path, entry) && (room -= entry.size) >= 0;
    result.push([path, isRead ? entry.id : null]);
  }
  return result;
}

function othersOf({ entries }: Snapshot): string[] {
  return [...entries].flatMap(([path, entry]) => (isSiteFile(path, entry) ? [] : [path]));
}

function textOf(bytes: Buffer): string {
  return bytes.includes(0) ? '' : bytes.toString('utf8');
}
