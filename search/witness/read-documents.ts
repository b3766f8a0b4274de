import { setImmediate } from 'node:timers/promises';

/** What a sitemap or llms.txt says. */
export interface Listed {
  pages: [address: string, title: string | null][];
  /** Sitemaps that it names. */
  sitemaps: string[];
}

/** Addresses of one site; what is beyond is left out. */
export const MOST_ADDRESSES = 50_000;
const LONGEST_ADDRESS = 2_000;
/** So many are read before others get their turn. */
const AT_ONCE = 2_000;

/** A sitemap: XML, or a text of addresses. Never throws: what is not an address is left out. */
export async function readSitemap(text: string): Promise<Listed> {
  const listed: Listed = { pages: [], sitemaps: [] };
  if (!text.includes('<')) {
    for (const line of text.split('\n', MOST_ADDRESSES)) add(listed.pages, line.trim());
    return listed;
  }
  const isIndex = text.slice(0, 4_096).includes('<sitemapindex');
  let at = 0;
  for (let count = 1; count <= MOST_ADDRESSES; count += 1) {
    const start = text.indexOf('<loc>', at);
    const end = start < 0 ? -1 : text.indexOf('</loc>', start);
    if (end < 0) break;
    const address = unescaped(text.slice(start + 5, Math.min(end, start + LONGEST_ADDRESS)).trim());
    if (isIndex) listed.sitemaps.push(address);
    else add(listed.pages, address);
    at = end;
    if (count % AT_ONCE === 0) await setImmediate();
  }
  return listed;
}

/** The links of an llms.txt, with their titles. Addresses of Markdown are those of its pages. */
export function readLlmsText(text: string, address: URL): Listed {
  const pages: Listed['pages'] = [];
  for (const line of text.slice(0, 4_000_000).split('\n', MOST_ADDRESSES)) {
    const [, title = '', url = ''] =
      /^\s*[-*+]\s+\[([^\]]{1,300})\]\(([^()\s]{1,2000})\)/.exec(line) ?? [];
    if (url === '' || !URL.canParse(url, address.href)) continue;
    const page = new URL(url, address);
    page.pathname = page.pathname.replace(/(?:\/index)?\.mdx?$/, '') || '/';
    add(pages, page.href, title);
  }
  return { pages, sitemaps: [] };
}

function add(pages: Listed['pages'], address: string, title: string | null = null): void {
  if (pages.length < MOST_ADDRESSES && /^https?:\/\//i.test(address) && URL.canParse(address))
    pages.push([address, title]);
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescaped(text: string): string {
  return text
    .replace(/^<!\[CDATA\[(.*)\]\]>$/s, '$1')
    .replace(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|(\w{1,8}));/gi, (whole, decimal, hex, name) => {
      if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? whole;
      const code = Number.parseInt(String(decimal ?? hex), decimal === undefined ? 16 : 10);
      return code <= 0x10_ffff ? String.fromCodePoint(code) : whole;
    });
}
