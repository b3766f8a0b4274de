import { join } from 'node:path';
import { ThreadFailure } from '../threads/thread.ts';
import { ThreadPool } from '../threads/thread-pool.ts';
import type { HtmlReply } from './html-thread.ts';

/** A large page takes seconds to parse. */
const pool = new ThreadPool({
  built: 'html-thread',
  source: join(import.meta.dirname, 'html-thread.ts'),
  ...{ most: 2, idleMs: 10_000 },
  ...{ cpuMs: 20_000, patienceMs: 60_000, memoryMb: 512 },
});

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
  if (!isHtml) return { title: '', text, headings: [], links: [] };
  try {
    return await pool.ask<HtmlReply>({ html: text, url }, { signal });
  } catch (error) {
    if (!(error instanceof ThreadFailure)) throw error;
    throw new PageError('is too large or too deep to be read');
  }
}

function decoder(charset = 'utf-8'): { decode(bytes: ArrayBuffer): string } {
  try {
    return new TextDecoder(charset.replaceAll('"', ''));
  } catch {
    return new TextDecoder();
  }
}
