import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { HtmlReply, HtmlRequest } from './html-thread.ts';

const TIMEOUT_MS = 20_000;
const MOST_MEMORY_MB = 512;

/** Why a page has no text: the second half of a sentence that begins with its address. */
export class PageError extends Error {
  override readonly name = 'PageError';
}

const HTML = new Set(['text/html', 'application/xhtml+xml']);
const TEXT = new Set(['text/plain', 'text/markdown', 'text/x-markdown', 'application/json']);

/** The text of a page, HTML as Markdown. Throws `PageError`. */
export async function pageText(
  response: Response,
  url: string,
  signal: AbortSignal,
): Promise<HtmlReply> {
  if (!response.ok) throw new PageError(`answers with status ${response.status}`);
  const [type = '', ...parameters] = (response.headers.get('content-type') ?? '')
    .toLowerCase()
    .split(';')
    .map(part => part.trim());
  const isHtml = HTML.has(type);
  if (!isHtml && !TEXT.has(type) && !/^application\/[a-z0-9.-]+\+json$/.test(type))
    throw new PageError(`is neither HTML, text, Markdown nor JSON, but ${type || 'of no type'}`);
  const charset = parameters.find(each => each.startsWith('charset='))?.slice('charset='.length);
  const text = decoder(charset).decode(await response.arrayBuffer());
  return isHtml ? await htmlToMarkdown({ html: text, url }, signal) : { title: '', text };
}

function decoder(charset = 'utf-8'): { decode(bytes: ArrayBuffer): string } {
  try {
    return new TextDecoder(charset.replaceAll('"', ''));
  } catch {
    return new TextDecoder();
  }
}

/** In a thread of its own: a large page takes seconds to parse. */
function htmlToMarkdown(request: HtmlRequest, signal: AbortSignal): Promise<HtmlReply> {
  const worker = new Worker(join(import.meta.dirname, 'html-worker.mjs'), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
  });
  const ended = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  return new Promise<HtmlReply>((resolve, reject) => {
    const fail = (): void => reject(new PageError('is too large or too deep to be read'));
    if (ended.aborted) return fail();
    ended.addEventListener('abort', fail, { once: true });
    worker.once('error', fail);
    worker.once('exit', fail);
    worker.once('message', resolve);
    worker.postMessage(request);
  }).finally(() => void worker.terminate());
}
