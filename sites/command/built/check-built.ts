import { resolve } from 'node:path';
import type { SiteFinding } from '../../check-site.ts';
import { onceForEach } from '../../kinds/includes.ts';
import type { KnownSite } from '../../kinds/registry.ts';
import type { SiteSource } from '../../kinds/site-kind.ts';
import { counted } from '../formats/report.ts';
import { builtFolder } from './built-folder.ts';
import { builtServer, isServer } from './built-server.ts';
import { type BuiltSite, type DeadLink, deadLinks } from './built-site.ts';
import { pageSources } from './page-sources.ts';
import {
  likelyAddresses,
  likeness,
  partsOf,
  type SourceLink,
  tailOf,
  type Wanted,
} from './source-places.ts';

/** What of a file may hold links that the build puts on its pages. */
const TEXT =
  /\.(?:mdx?|mdoc|markdown|rst|adoc|asciidoc|qmd|ipynb|org|txt|html?|njk|liquid|hbs|vue|svelte|astro|[cm]?[jt]sx?|json|ya?ml|toml|py|cfg)$|(?:^|\/)_redirects$/i;
/** Longer files are data. */
const LONGEST = 1_000_000;

/** How sure a place must be on the page itself, and anywhere else. */
const ENOUGH = 2;
const ENOUGH_ELSEWHERE = 3;

/** What leads nowhere on the site as it was built, each at the line where it is written. */
export async function builtFindings(
  source: SiteSource,
  site: KnownSite | undefined,
  place: string,
): Promise<{ findings: SiteFinding[]; pages: number; notes: string[] }> {
  const built = isServer(place)
    ? await builtServer(place, site?.pages.map(({ url }) => url) ?? [])
    : builtFolder(resolve(place), site?.basePath ?? '/');
  const places = new Places(source, site, built);
  const found = new Map<string, SiteFinding>();
  const unplaced = new Map<string, DeadLink[]>();
  const repeated = new Map<string, number>();
  // Pages of which no source is known, such as one of all pages, repeat what others have.
  const all = deadLinks(built);
  const isKnown = ({ page }: DeadLink) => places.fileOf(page) !== undefined;
  for (const dead of [...all.filter(isKnown), ...all.filter(one => !isKnown(one))]) {
    const nth = repeated.get(`${dead.page}\n${dead.url}`) ?? 0;
    repeated.set(`${dead.page}\n${dead.url}`, nth + 1);
    const written = places.of(dead, nth);
    if (written) addFinding(found, dead, written);
    else {
      const key = [dead.rule, dead.path, dead.anchor].join('\n');
      const alike = unplaced.get(key);
      if (alike) alike.push(dead);
      else unplaced.set(key, [dead]);
    }
  }
  const made = [...unplaced.values()].map(alike => madeByBuild(alike, places, site));
  const { pages, notes = [] } = built;
  return { findings: [...found.values(), ...made], pages: pages.size, notes };
}

function addFinding(found: Map<string, SiteFinding>, dead: DeadLink, written: SourceLink): void {
  const { file, line, url } = written;
  const finding = { rule: dead.rule, severity: 'error', file, line, link: url } as const;
  const key = [dead.rule, file, line, url].join('\n');
  if (!found.has(key)) found.set(key, { ...finding, message: messageOf(dead) });
}

function messageOf({ rule, page, path, target, anchor }: DeadLink): string {
  const on = page === null ? '' : ` (on ${page})`;
  const what = rule === 'redirect' ? `The redirect leads to ${path}, which` : path;
  return target === undefined
    ? `${what} is not in the built site${on}.`
    : `${rule === 'redirect' ? what : target} has no element with the id ${anchor}${on}.`;
}

/** A link that nobody wrote: a theme, a template or a plugin has it on one or many pages. */
function madeByBuild(
  [first, ...others]: readonly DeadLink[],
  places: Places,
  site: KnownSite | undefined,
): SiteFinding {
  const dead = first as DeadLink;
  const pages = new Set([dead, ...others].map(({ page }) => page)).size;
  const file = places.fileOf(dead.page) ?? site?.configFiles[0] ?? dead.page ?? '_redirects';
  const message = `${messageOf(dead)} The build adds it to ${counted(pages, 'page')}; no source has it as a link.`;
  return { rule: dead.rule, severity: 'error', file, line: null, link: dead.url, message };
}

class Places {
  readonly #source: SiteSource;
  readonly #site: KnownSite | undefined;
  readonly #files: Map<string, string>;
  readonly #links = onceForEach(file => this.#linksOf(file).map(indexOf));
  readonly #everywhere = onceForEach(() => indexOf(likelyAddressesOf(this.#source)));

  constructor(source: SiteSource, site: KnownSite | undefined, built: BuiltSite) {
    this.#source = source;
    this.#site = site;
    this.#files = pageSources(source, site, built);
  }

  fileOf(page: string | null): string | undefined {
    return page === null ? undefined : this.#files.get(page);
  }

  /** Where a link is written: on its page, of equals the `nth`; else anywhere. */
  of(dead: DeadLink, nth: number): SourceLink | undefined {
    const wanted = this.#wanted(dead);
    const file = this.fileOf(dead.page);
    if (file !== undefined)
      for (const links of this.#links(file)) {
        const found = best(links, wanted, ENOUGH, nth);
        if (found) return found;
      }
    const everywhere = this.#everywhere('');
    const found = best(everywhere, wanted, ENOUGH_ELSEWHERE, 0);
    if (found || wanted.anchor === null) return found;
    // An anchor that one link in all the sources has.
    const [first, ...others] = everywhere.get(`\n#${wanted.anchor}`) ?? [];
    return others.length === 0 ? first : undefined;
  }

  #wanted({ url, path, page, target, anchor }: DeadLink): Wanted {
    const file = target === undefined ? undefined : this.#files.get(target);
    const tails = [partsOf(url).tail, tailOf(path), ...(file === undefined ? [] : [tailOf(file)])];
    const decodedAnchor = partsOf(`#${anchor}`).anchor;
    return { url, tails, anchor: decodedAnchor, isOwnPage: page !== null && target === page };
  }

  /** The links of a page, then all that looks like an address, in it and in what it includes. */
  #linksOf(file: string): SourceLink[][] {
    const isPage = this.#site?.pages.some(page => page.file === file) ?? false;
    const outline = isPage && this.#site ? this.#site.outline(file) : this.#source.outline(file);
    const links = outline.links.map(link => ({
      url: link.url,
      file: link.file ?? file,
      line: link.line,
    }));
    return [links, likelyAddresses(file, this.#source.read(file) ?? '')];
  }
}

/** Links by what is written, by the last part of the path and by the anchor. */
type LinkIndex = ReadonlyMap<string, readonly SourceLink[]>;

/** Of links that are alike only these are compared. */
const MOST_ALIKE = 500;

function best(
  index: LinkIndex,
  wanted: Wanted,
  enough: number,
  nth: number,
): SourceLink | undefined {
  const exact = index.get(wanted.url);
  if (exact) return exact[Math.min(nth, exact.length - 1)];
  const keys = new Set([...wanted.tails.filter(tail => tail !== ''), `#${wanted.anchor}`]);
  const links = [...keys].flatMap(key => index.get(`\n${key}`)?.slice(0, MOST_ALIKE) ?? []);
  const scores = links.map(({ url }) => likeness(url, wanted));
  const most = scores.reduce((a, b) => Math.max(a, b), enough);
  const equals = [...new Set(links.filter((_, at) => scores[at] === most))];
  return equals[Math.min(nth, equals.length - 1)];
}

function indexOf(links: Iterable<SourceLink>): LinkIndex {
  const index = new Map<string, SourceLink[]>();
  for (const link of links) {
    const { tail, anchor } = partsOf(link.url);
    const parts = [...(tail === '' ? [] : [tail]), ...(anchor === null ? [] : [`#${anchor}`])];
    for (const key of new Set([link.url, ...parts.map(part => `\n${part}`)])) {
      const known = index.get(key);
      if (known) known.push(link);
      else index.set(key, [link]);
    }
  }
  return index;
}

function* likelyAddressesOf(source: SiteSource): Generator<SourceLink> {
  for (const file of source.paths) {
    const text = TEXT.test(file) ? (source.read(file) ?? '') : '';
    if (text.length <= LONGEST) yield* likelyAddresses(file, text);
  }
}
