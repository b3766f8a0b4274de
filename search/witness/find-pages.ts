import { createHash } from 'node:crypto';
import type {
  PublishedDocument,
  PublishedSource,
  StoredPageText,
  Validators,
} from '../../db/search/published.ts';
import { PageError, pageText } from '../../shared/outgoing/page-text.ts';
import { type Listed, MOST_ADDRESSES, readLlmsText, readSitemap } from './read-documents.ts';
import type { Answer, SiteClient } from './site-client.ts';

export interface FoundPages {
  source: PublishedSource;
  /** Nothing of a list was left out: what is not in it is not published. */
  isWhole: boolean;
  documents: PublishedDocument[];
}

type Sitemaps = Omit<FoundPages, 'source'>;

type Known = ReadonlyMap<string, PublishedDocument>;

const MOST_SITEMAPS = 100;
/** Pages that are read to follow their links. */
const MOST_LINKED = 300;
const DEPTH = 4;
const LONGEST_TEXT = 400_000;

/**
 * Every address that the site says it has: by its sitemaps, else by its llms.txt, else by the links
 * from its start page. `known`: what was read before, which is kept if the site says that it is the
 * same. Throws `SiteAway`.
 */
export async function findPages(
  client: SiteClient,
  address: string,
  known: Known,
  signal: AbortSignal,
): Promise<FoundPages | undefined> {
  const home = new URL(address);
  home.pathname = home.pathname.replace(/\/*$/, '/');
  const sitemaps = await bySitemaps(client, home, known);
  if (hasPages(sitemaps.documents)) return { source: 'sitemap', ...sitemaps };
  const llms = await byLlmsText(client, home, known);
  // A choice of pages, and those that links lead to: neither says what there is not.
  if (hasPages(llms)) return { source: 'llms.txt', isWhole: false, documents: llms };
  const linked = await byLinks(client, home, known, signal);
  return hasPages(linked) ? { source: 'links', isWhole: false, documents: linked } : undefined;
}

function isAddress(text: string): boolean {
  return URL.canParse(text);
}

function hasPages(documents: readonly PublishedDocument[]): boolean {
  return documents.some(({ pages }) => pages.length > 0);
}

async function bySitemaps(client: SiteClient, home: URL, known: Known): Promise<Sitemaps> {
  const usual = [new URL('sitemap.xml', home), new URL('/sitemap.xml', home)];
  const named = client.sitemaps.filter(isAddress).map(address => new URL(address));
  // Its own first: robots.txt of a host may name those of much else.
  const [own, ...others] = usual;
  const queue = new Map([own, ...named, ...others].flatMap(url => (url ? [[url.href, url]] : [])));
  const documents: PublishedDocument[] = [];
  let room = MOST_ADDRESSES;
  let isWhole = true;
  // Entries that are added meanwhile are met as well.
  for (const [href, url] of queue) {
    if (documents.length >= MOST_SITEMAPS || room <= 0 || client.isSpent) {
      isWhole = false;
      break;
    }
    const old = known.get(href);
    // What is lost for a moment must not be replaced by a worse way to find pages.
    const answer = await client.get(url, old, old !== undefined);
    if (!answer) {
      // One that robots.txt or an index names and that cannot be read has pages, too.
      if (!usual.some(({ href: each }) => each === href)) isWhole = false;
      continue;
    }
    const read =
      answer.body === null && old ? old : await sitemapDocument(client, href, answer, room);
    documents.push(read);
    room -= read.pages.length;
    if (room <= 0 || read.further.length >= MOST_SITEMAPS) isWhole = false;
    for (const next of read.further.filter(isAddress).slice(0, MOST_SITEMAPS))
      queue.set(next, new URL(next));
  }
  return { documents, isWhole };
}

async function sitemapDocument(client: SiteClient, url: string, answer: Answer, room: number) {
  const listed = await readSitemap(answer.body?.toString('utf8') ?? '');
  return documentOf(client, url, answer, { ...listed, pages: listed.pages.slice(0, room) });
}

async function byLlmsText(client: SiteClient, home: URL, known: Known) {
  for (const url of [new URL('llms.txt', home), new URL('/llms.txt', home)]) {
    const old = known.get(url.href);
    const answer = await client.get(url, old, old !== undefined);
    if (!answer || /html/i.test(answer.type)) continue;
    if (answer.body === null && old) return [old];
    const listed = readLlmsText(answer.body?.toString('utf8') ?? '', url);
    return [documentOf(client, url.href, answer, listed)];
  }
  return [];
}

/** Breadth first, and only pages that answered. */
async function byLinks(client: SiteClient, home: URL, known: Known, signal: AbortSignal) {
  const seen = new Set([home.href]);
  const documents: PublishedDocument[] = [];
  let level = [home];
  for (let depth = 0; depth < DEPTH && level.length > 0; depth += 1) {
    const next: URL[] = [];
    for (const url of level) {
      if (documents.length >= MOST_LINKED || client.isSpent) return documents;
      const read = await linkedPage(client, url, known.get(url.href), signal);
      if (!read) continue;
      documents.push(read);
      for (const link of read.further.map(each => new URL(each))) {
        link.search = '';
        if (seen.has(link.href) || !isBelow(link, home) || !client.mayAsk(link)) continue;
        seen.add(link.href);
        next.push(link);
      }
    }
    level = next;
  }
  return documents;
}

/** What is not a page is not asked for. */
function isBelow({ pathname }: URL, home: URL): boolean {
  return pathname.startsWith(home.pathname) && !/\.(?!html?$)[a-z\d]{2,5}$/i.test(pathname);
}

async function linkedPage(
  client: SiteClient,
  url: URL,
  old: PublishedDocument | undefined,
  signal: AbortSignal,
): Promise<PublishedDocument | undefined> {
  const answer = await client.get(url, old);
  if (!answer) return undefined;
  if (answer.body === null) return old;
  const page = await htmlOf(answer, signal);
  return (
    page && {
      ...{ url: url.href, etag: answer.etag, lastModified: answer.lastModified },
      pages: [[answer.url.pathname, titleOf(page)]],
      further: page.links.filter(link => client.isOwn(new URL(link))),
    }
  );
}

/**
 * The page at a path, as its site shows it; undefined if it is as it was. What cannot be read is
 * empty. Throws `SiteAway`.
 */
export async function readPage(
  client: SiteClient,
  siteUrl: string,
  path: string,
  known: Validators | undefined,
  signal: AbortSignal,
): Promise<StoredPageText | undefined> {
  const answer = await client.get(new URL(`${new URL(siteUrl).origin}${path}`), known);
  if (answer?.body === null && known) return undefined;
  const page = answer && (await htmlOf(answer, signal));
  const text = page?.text.slice(0, LONGEST_TEXT) ?? '';
  const headings = (page?.headings ?? []).slice(0, 1_000);
  return {
    ...{ path, text, headings, title: page ? titleOf(page) : '' },
    digest: createHash('sha256')
      .update(JSON.stringify([text, headings]))
      .digest('hex')
      .slice(0, 32),
    ...{ etag: answer?.etag ?? null, lastModified: answer?.lastModified ?? null },
  };
}

async function htmlOf({ body, type, url }: Answer, signal: AbortSignal) {
  if (!/html/i.test(type) || body === null) return undefined;
  const response = new Response(new Uint8Array(body), { headers: { 'content-type': type } });
  try {
    return await pageText(response, url.href, signal);
  } catch (error) {
    if (error instanceof PageError) return undefined;
    throw error;
  }
}

/** Sites put their own name behind the title of a page. */
function titleOf({ title, headings }: Awaited<ReturnType<typeof pageText>>): string {
  const heading = headings.find(({ depth, text }) => depth === 1 && text !== '')?.text;
  return (heading ?? title.split(/ [|–—·»-] /)[0] ?? '').replaceAll('\0', '').slice(0, 300);
}

/** The addresses of the site, by path; if there are none, those of the name that it goes by. */
function documentOf(
  client: SiteClient,
  url: string,
  { etag, lastModified }: Answer,
  { pages, sitemaps }: Listed,
): PublishedDocument {
  const placed = pages.map(([address, title]) => ({ at: new URL(address), title }));
  const own = placed.filter(({ at }) => client.isOwn(at));
  const host = placed[0]?.at.host;
  const counted = own.length > 0 ? own : placed.filter(({ at }) => at.host === host);
  return {
    ...{ url, etag, lastModified, further: sitemaps.slice(0, MOST_SITEMAPS) },
    pages: counted.map(({ at, title }) => [at.pathname, title]),
  };
}
