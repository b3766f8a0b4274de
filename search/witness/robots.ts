import robotsParser from 'robots-parser';

export interface Robots {
  allows(url: URL): boolean;
  sitemaps: string[];
  /** Between two requests; 0: as the reader thinks fit. */
  delaySeconds: number;
}

/** The package is CommonJS, and its types say otherwise. */
const parse = robotsParser as unknown as typeof robotsParser.default;
// A rule costs its length times that of an address, for every address.
const MOST_LINES = 1_000;
const LONGEST_RULE = 200;
const LONGEST_ADDRESS = 2_000;
const MOST_SITEMAPS = 20;

/** What a robots.txt says to us; undefined: it is so long that we cannot know. */
export function readRobots(address: string, text: string, userAgent: string): Robots | undefined {
  const rules = bounded(text);
  if (rules === undefined) return undefined;
  const parsed = parse(address, rules);
  const name = userAgent.split('/')[0] ?? userAgent;
  return {
    // By path: the site may have moved to another scheme, or to www.
    allows: ({ pathname, search }) =>
      parsed.isAllowed(`${new URL(address).origin}${pathname}${search}`, name) !== false,
    sitemaps: parsed.getSitemaps().slice(0, MOST_SITEMAPS),
    delaySeconds: Math.max(0, Number(parsed.getCrawlDelay(name)) || 0),
  };
}

/** Cut, a rule forbids more; one that allows is left out. What follows a cut could forbid anything. */
function bounded(text: string): string | undefined {
  if (text.length > MOST_LINES * LONGEST_ADDRESS) return undefined;
  const lines = text
    .split(/\r\n|\r|\n/)
    .map(line => (line.split('#', 1)[0] ?? '').trim().slice(0, LONGEST_ADDRESS))
    .filter(line => line !== '');
  if (lines.length > MOST_LINES) return undefined;
  return lines
    .flatMap(line => {
      if (line.length <= LONGEST_RULE || /^sitemap\s*:/i.test(line)) return [line];
      return /^disallow\s*:/i.test(line) ? [line.slice(0, LONGEST_RULE)] : [];
    })
    .join('\n');
}
