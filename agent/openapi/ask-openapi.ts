import { join } from 'node:path';
import { ThreadFailure } from '../../shared/threads/thread.ts';
import { ThreadPool } from '../../shared/threads/thread-pool.ts';
import type { OpenApiAnswer, OpenApiQuestion } from './openapi-questions.ts';
import type { OpenApiRequest } from './openapi-thread.ts';

/** Parsing 10 MB of YAML takes 10 seconds. */
const pool = new ThreadPool({
  built: 'openapi-thread',
  source: join(import.meta.dirname, 'openapi-thread.ts'),
  ...{ most: 2, idleMs: 10_000 },
  ...{ cpuMs: 60_000, patienceMs: 90_000, memoryMb: 1_024 },
});

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
  const onAsked = async (files: string[]): Promise<[path: string, text: string][]> => {
    const texts: [path: string, text: string][] = [];
    for (const file of files) {
      const text = await read(file);
      if (text !== undefined) texts.push([file, text]);
    }
    return texts;
  };
  try {
    const request: OpenApiRequest = { path, question };
    return await pool.ask<OpenApiAnswer>(request, { signal, onAsked });
  } catch (error) {
    if (!(error instanceof ThreadFailure)) throw error;
    throw new OpenApiError('It is too large to be read: name a smaller description.');
  }
}
