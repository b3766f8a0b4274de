import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkSite } from '../sites/check-site.ts';
import { findSites, readSite } from '../sites/kinds/registry.ts';
import type { NavigationItem, Site, SiteSource } from '../sites/kinds/site-kind.ts';
import { folderSource } from '../sites/command/folder-source.ts';

const DEFAULT_SET = '../shared/conformance/sites';

/** What a site's own generator says of it. */
interface Expected {
  generator: string;
  docsFolder: string;
  pages: Pick<
    Site['pages'][number],
    'file' | 'path' | 'url' | 'language' | 'inNavigation' | 'title' | 'crumbs'
  >[];
  navigation: NavigationItem[];
  navigationScored?: boolean;
  excluded: string[];
  anchors: Record<string, string[]>;
  brokenLinks: { file: string; link: string; kind: string }[];
  brokenLinksReported: boolean;
}

/**
 * Scores what we make of sites against what their generators make of them. `--set DIR` holds a JSON
 * file per site, `--repositories DIR` a folder of the same name (without `.json`) per site, checked
 * out at the commit that the file names. `--only NAME` runs one, `--verbose` prints what differs.
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  const set = option(args, '--set') ?? DEFAULT_SET;
  const repositories = option(args, '--repositories');
  if (!existsSync(set) || repositories === undefined) {
    console.log(`sites: needs --set DIR (${set}) and --repositories DIR; nothing to score.`);
    return {};
  }
  const only = option(args, '--only');
  const scores: Record<string, Record<string, unknown>> = {};
  for (const name of readdirSync(set)
    .filter(one => one.endsWith('.json'))
    .toSorted()) {
    const site = name.slice(0, -'.json'.length);
    if ((only && !site.includes(only)) || !existsSync(join(repositories, site))) continue;
    const expected = JSON.parse(readFileSync(join(set, name), 'utf8')) as Expected;
    scores[site] = score(folderSource(join(repositories, site)), expected, args);
  }
  console.table(scores);
  return { sites: scores };
}

function score(source: SiteSource, expected: Expected, args: string[]): Record<string, unknown> {
  const started = performance.now();
  const site = readSite(source);
  if (!site) return { kind: 'not found', candidates: findSites(source).length };
  const findings = checkSite(source, site);
  const ms = Math.round(performance.now() - started);
  const say = (what: string, rows: string[]): void => {
    if (args.includes('--verbose') && rows.length > 0)
      console.log(`${what} (${rows.length})\n  ${rows.slice(0, 40).join('\n  ')}`);
  };
  return {
    kind: `${site.kind}${site.kind === expected.generator ? '' : ' (wrong)'}`,
    folder: site.docsFolder === expected.docsFolder ? 'right' : `wrong: ${site.docsFolder}`,
    ...scorePages(site, expected, say),
    ...scoreNavigation(site, expected, say),
    ...scoreAnchors(site, expected, say),
    ...scoreLinks(findings, expected, say),
    unread: site.unread.length,
    ms,
  };
}

type Say = (what: string, rows: string[]) => void;

function scorePages(site: Site, expected: Expected, say: Say) {
  const ours = new Map(site.pages.map(page => [page.file, page]));
  const wrong: string[] = [];
  let paths = 0;
  let urls = 0;
  for (const { file, path, url } of expected.pages) {
    const page = ours.get(file);
    if (page?.path === path) paths += 1;
    else wrong.push(`${file}: ${page?.path} instead of ${path}`);
    if (page?.url === url) urls += 1;
    else if (page?.path === path) wrong.push(`${file}: url ${page?.url} instead of ${url}`);
  }
  const files = new Set(expected.pages.map(page => page.file));
  const extra = site.pages.filter(page => !files.has(page.file) && !page.draft);
  say('wrong paths', wrong);
  say(
    'pages that are none',
    extra.map(page => page.file),
  );
  const share = (count: number) => percent(count, expected.pages.length);
  return { paths: share(paths), urls: share(urls), extra: extra.length };
}

function scoreNavigation(site: Site, expected: Expected, say: Say) {
  if (expected.navigationScored === false) return { nav: '-' };
  const ours = new Map(site.pages.map(page => [page.file, page]));
  const should = expected.pages.filter(page => page.inNavigation);
  const hits = should.filter(page => ours.get(page.file)?.inNavigation);
  const claimed = site.pages.filter(page => page.inNavigation);
  const wanted = new Set(should.map(page => page.file));
  const missing = should.filter(page => !ours.get(page.file)?.inNavigation);
  const wrongCrumbs = hits.filter(
    page => ours.get(page.file)?.crumbs.join('>') !== page.crumbs.join('>'),
  );
  say(
    'missing in navigation',
    missing.map(page => page.file),
  );
  say(
    'wrongly in navigation',
    claimed.filter(page => !wanted.has(page.file)).map(p => p.file),
  );
  say(
    'wrong crumbs',
    wrongCrumbs.map(
      p => `${p.file}: ${ours.get(p.file)?.crumbs.join(' > ')} instead of ${p.crumbs.join(' > ')}`,
    ),
  );
  return {
    navRecall: percent(hits.length, should.length),
    navPrecision: percent(claimed.filter(page => wanted.has(page.file)).length, claimed.length),
    crumbs: percent(hits.length - wrongCrumbs.length, hits.length),
    order: percent(...order(site.navigation, withoutOtherLanguages(expected), say)),
  };
}

/** Links to the same page in another language do not count as navigation. */
function withoutOtherLanguages({ navigation, pages }: Expected): NavigationItem[] {
  const languages = new Map(pages.map(({ path, language }) => [path, language]));
  return navigation.filter(({ path, locale }) => {
    const language = path === undefined ? undefined : languages.get(path);
    return locale == null || language == null || language === locale;
  });
}

/** Neighbouring pairs of the expected lists that stand in the same order in one of ours. */
function order(ours: NavigationItem[], expected: NavigationItem[], say: Say): [number, number] {
  const own = listsOf(ours).map(list => list.map(item => item.path ?? ''));
  let right = 0;
  let pairs = 0;
  const wrong: string[] = [];
  for (const list of listsOf(expected)) {
    const paths = list.map(item => item.path ?? '');
    const wanted = new Set(paths);
    const overlap = (one: string[]) => one.filter(path => wanted.has(path)).length;
    const [best = []] = own.toSorted((a, b) => overlap(b) - overlap(a));
    for (const [index, path] of paths.entries()) {
      const next = paths[index + 1];
      if (next === undefined || next === path) continue;
      pairs += 1;
      const [first, last] = [best.indexOf(path), best.lastIndexOf(next)];
      if (first >= 0 && first < last) right += 1;
      else wrong.push(`${path} (${first}) before ${next} (${last})`);
    }
  }
  say('wrong order', wrong);
  return [right, pairs];
}

/** Items with a path, by the list that they are in. */
function listsOf(items: NavigationItem[]): NavigationItem[][] {
  const lists = new Map<string, NavigationItem[]>();
  for (const item of items) {
    if (item.path === undefined) continue;
    const list = lists.get(listOf(item)) ?? [];
    lists.set(listOf(item), [...list, item]);
  }
  return [...lists.values()];
}

function listOf({ locale, version, plugin, sidebar }: NavigationItem): string {
  return JSON.stringify([locale, version, plugin, sidebar]);
}

function scoreAnchors(site: Site, expected: Expected, say: Say) {
  const files = new Map(site.pages.map(page => [page.path, page.file]));
  let exact = 0;
  const wrong: string[] = [];
  const all = Object.entries(expected.anchors);
  for (const [path, ids] of all) {
    const file = files.get(path);
    const ours = file === undefined ? [] : site.headingIds(site.outline(file));
    if (ours.join('\n') === ids.join('\n')) exact += 1;
    else {
      const differ = ids.findIndex((id, index) => id !== ours[index]);
      wrong.push(
        `${path}: ${ours[differ]} instead of ${ids[differ]} (${ours.length}/${ids.length})`,
      );
    }
  }
  say('wrong anchors', wrong);
  return { anchors: percent(exact, all.length) };
}

function scoreLinks(findings: ReturnType<typeof checkSite>, expected: Expected, say: Say) {
  if (!expected.brokenLinksReported) return { links: '-' };
  const key = (file: string, link: string) => `${file} ${link}`;
  const broken = expected.brokenLinks.filter(link => link.kind !== 'absolute');
  const left = new Set(
    expected.brokenLinks.filter(link => link.kind === 'absolute').map(l => key(l.file, l.link)),
  );
  const wanted = new Set(broken.map(({ file, link }) => key(file, link)));
  const ours = new Set(
    findings
      .filter(({ rule }) => rule === 'link' || rule === 'anchor')
      .map(({ file, link }) => key(file, link ?? ''))
      .filter(one => !left.has(one)),
  );
  const both = [...ours].filter(one => wanted.has(one));
  say(
    'false alarms',
    [...ours].filter(one => !wanted.has(one)),
  );
  say(
    'links missed',
    [...wanted].filter(one => !ours.has(one)),
  );
  return {
    falseLinks: ours.size - both.length,
    linkRecall: percent(both.length, wanted.size),
  };
}

function percent(count: number, of: number): string {
  return of === 0 ? '-' : `${(Math.floor((1000 * count) / of) / 10).toFixed(1)} %`;
}

function option(list: string[], name: string): string | undefined {
  const at = list.indexOf(name);
  return at < 0 ? undefined : list[at + 1];
}
