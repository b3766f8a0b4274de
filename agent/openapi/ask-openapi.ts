import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { OpenApiAnswer, OpenApiQuestion } from './openapi-questions.ts';
import type { OpenApiReply, OpenApiRequest } from './openapi-thread.ts';

/** Parsing 10 MB of YAML takes 10 seconds. */
const TIMEOUT_MS = 60_000;
const MOST_MEMORY_MB = 1_024;
/** Files beside the first one, and how many times they may name further ones. */
const MOST_FILES = 200;
const MOST_ROUNDS = 8;

/** Takes too long, or more memory than there is for it. */
export class OpenApiError extends Error {
  override readonly name = 'OpenApiError';
}

/**
 * Asks about the description at `path`, in a thread of its own: a large one takes seconds to parse.
 * `read` gives the text of a file of the same repository. Throws `OpenApiError`.
 */
export async function askOpenApi(
  path: string,
  question: OpenApiQuestion,
  read: (path: string) => Promise<string | undefined>,
  signal: AbortSignal,
): Promise<OpenApiAnswer> {
  const files = new Map([[path, (await read(path)) ?? '']]);
  const worker = new Worker(join(import.meta.dirname, 'openapi-worker.mjs'), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
  });
  const ended = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    for (let round = 1; ; round += 1) {
      const isLast = round === MOST_ROUNDS || files.size > MOST_FILES;
      const reply = await exchange(
        worker,
        { id: round, path, files: [...files], isLast, question },
        ended,
      );
      if (!('lacks' in reply)) return reply;
      const known = files.size;
      for (const file of reply.lacks.slice(0, MOST_FILES)) {
        const text = await read(file);
        if (text !== undefined) files.set(file, text);
      }
      // None of them exists: what can be said without them.
      if (files.size === known) round = MOST_ROUNDS - 1;
    }
  } finally {
    void worker.terminate();
  }
}

function exchange(
  worker: Worker,
  request: OpenApiRequest,
  ended: AbortSignal,
): Promise<OpenApiReply> {
  return new Promise((resolve, reject) => {
    const fail = (): void =>
      reject(new OpenApiError('It is too large to be read: name a smaller description.'));
    if (ended.aborted) return fail();
    ended.addEventListener('abort', fail, { once: true });
    worker.removeAllListeners();
    worker.once('error', fail);
    worker.once('exit', fail);
    worker.once('message', (reply: OpenApiReply) => {
      ended.removeEventListener('abort', fail);
      resolve(reply);
    });
    worker.postMessage(request);
  });
}
