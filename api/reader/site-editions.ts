import type { Edition as Choice, NavigationEntry } from '../dashboard/contract/site.ts';
import {
  defaultLanguage,
  inAnyLanguage,
  isOld,
  oldVersions,
  withoutVersion,
} from '../../search/site/translations.ts';
import type { Site, SitePage } from '../../sites/kinds/site-kind.ts';

/** Null: the site has one. */
export interface Edition {
  language: string | null;
  version: string | null;
}

/** A site's languages and versions: the navigation of each, and how a page gets from one to another. */
export class SiteEditions {
  readonly #site: Site;
  readonly #pages: ReadonlyMap<string, SitePage>;
  readonly #languages: string[];
  readonly #versions: string[];
  readonly #language: string | null;
  readonly #navigations = new Map<string, NavigationEntry[]>();

  constructor(site: Site, pages: ReadonlyMap<string, SitePage>) {
    this.#site = site;
    this.#pages = pages;
    const all = [...pages.values()];
    const old = oldVersions(all);
    this.#language = defaultLanguage(all);
    this.#languages = several(all.map(({ language }) => language)).toSorted(
      (a, b) => Number(b === this.#language) - Number(a === this.#language) || (a < b ? -1 : 1),
    );
    this.#versions = several(
      all
        .toSorted((a, b) => Number(isOld(old, a)) - Number(isOld(old, b)))
        .map(page => page.version),
    );
  }

  of(page: SitePage): Edition {
    return {
      language: this.#languages.length > 0 ? page.language : null,
      version: this.#versions.length > 0 ? page.version : null,
    };
  }

  /** Entries of one language and version, in order, each page once. */
  navigation({ language, version }: Partial<Edition>): NavigationEntry[] {
    const key = JSON.stringify([language, version]);
    const known = this.#navigations.get(key);
    if (known) return known;
    const made = this.#navigationOf(language ?? this.#language, version);
    // Made-up names are not kept.
    const isOurs = (name: string | null | undefined, names: string[]) =>
      name === null || name === undefined || names.includes(name);
    if (isOurs(language, this.#languages) && isOurs(version, this.#versions))
      this.#navigations.set(key, made);
    return made;
  }

  languages(page: SitePage): Choice[] {
    return this.#languages.map(name => ({
      name,
      path:
        name === page.language
          ? page.path
          : this.#pathIn(page, { ...this.of(page), language: name }),
    }));
  }

  /** Of the page's language. */
  versions(page: SitePage): Choice[] {
    const { language } = this.of(page);
    const pages = [...this.#pages.values()];
    const names = this.#versions.filter(name =>
      pages.some(each => each.version === name && (language ?? each.language) === each.language),
    );
    return names.map(name => ({
      name,
      path: name === page.version ? page.path : this.#pathIn(page, { language, version: name }),
    }));
  }

  /** The same page in another edition, else the first one of it. */
  #pathIn(page: SitePage, wanted: Edition): string {
    const there = [...this.#pages.values()].filter(
      each =>
        (wanted.language === null || each.language === wanted.language) &&
        (wanted.version === null || each.version === wanted.version),
    );
    const keys = namesOf(page);
    const same =
      there.find(each => inAnyLanguage(each) === keys[0]) ??
      there.find(each => namesOf(each).some(name => keys.includes(name)));
    const first = () => this.navigation(wanted).find(({ path }) => path !== null)?.path;
    return same?.path ?? first() ?? there[0]?.path ?? '/';
  }

  /** `asked` undefined: what has most pages, of the newest version and of no version. */
  #navigationOf(language: string | null, asked: string | null | undefined): NavigationEntry[] {
    const listed = this.#site.navigation.filter(
      ({ locale = null }) => locale === null || language === null || locale === language,
    );
    const sizeOf = (name: string | null) =>
      listed.filter(({ version = null }) => version === name).length;
    const [newest = null] = this.#versions;
    const wanted = asked === undefined && sizeOf(newest) > sizeOf(null) ? newest : (asked ?? null);
    const has = listed.some(({ version = null }) => version === wanted);
    const version = has ? wanted : (listed[0]?.version ?? null);
    const seen = new Set<string>();
    const entries: NavigationEntry[] = [];
    for (const item of listed) {
      if ((item.version ?? null) !== version) continue;
      const page = item.path === undefined ? undefined : this.#pages.get(item.path);
      const href = page ? null : outside(item.href);
      if (!page && href === null) continue;
      if (page && seen.has(page.path)) continue;
      if (page) seen.add(page.path);
      entries.push({ title: item.title, path: page?.path ?? null, href, crumbs: item.crumbs });
    }
    if (entries.length > 0) return entries;
    return [...this.#pages.values()]
      .filter(page => language === null || page.language === null || page.language === language)
      .toSorted((a, b) => (a.path < b.path ? -1 : 1))
      .map(({ path, title, crumbs }) => ({ title: title ?? path, path, href: null, crumbs }));
  }
}

/** What a page is called without its language, and without its version. */
function namesOf(page: SitePage): string[] {
  const path = inAnyLanguage(page);
  return [path, ...withoutVersion(path)];
}

/** The names in their order, once each; none if there are not several. */
function several(names: readonly (string | null)[]): string[] {
  const found = [...new Set(names.filter(name => name !== null))];
  return found.length > 1 ? found : [];
}

function outside(href: string | undefined): string | null {
  if (href === undefined || !URL.canParse(href)) return null;
  const { protocol, href: parsed } = new URL(href);
  return protocol === 'https:' || protocol === 'http:' ? parsed : null;
}
