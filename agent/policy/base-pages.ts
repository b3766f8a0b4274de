import { setImmediate } from 'node:timers/promises';
import type { Snapshot } from '../../shared/workspace.ts';
import { keptWith } from '../kept-with.ts';
import type { SiteKindName } from '../../sites/kinds/registry.ts';
import { parseYaml } from '../../sites/kinds/yaml.ts';
import { isObject } from '../../sites/values.ts';
import type { ContentItem, SiteReading } from './content/item.ts';
import { named } from './content/names.ts';
import { fileType } from './file-types.ts';
import { contentItems, Unjudged } from './judge.ts';
import { textOf } from './text-of.ts';

const BATCH = 32;
/** Characters; reading more takes 10 ms and longer. */
const LONG = 50_000;

/** What the pages of a job's base have already, found out as it is asked for. */
export class BasePages {
  readonly #snapshot: Snapshot;
  readonly #pages: string[];
  readonly #known = new Set<string>();
  /** Items that were looked for everywhere. */
  readonly #asked = new Set<string>();
  #reading: Promise<SiteReading> | undefined;

  /** Kept as long as the snapshot is. */
  static readonly of = keptWith(
    (snapshot: Snapshot, docsFolder) => new BasePages(snapshot, docsFolder),
  );

  private constructor(snapshot: Snapshot, docsFolder: string) {
    const prefix = docsFolder === '' ? '' : `${docsFolder}/`;
    this.#snapshot = snapshot;
    this.#pages = [...snapshot.entries]
      .filter(([path, { mode }]) => path.startsWith(prefix) && mode.startsWith('100'))
      .map(([path]) => path)
      .filter(path => /^(?:page|svg)$/.test(fileType(path, snapshot, docsFolder) ?? ''));
  }

  /**
   * The items that no page of the base has.
   * @param likely paths whose pages may have them: these are read first.
   */
  async unknown(
    items: readonly ContentItem[],
    likely: ReadonlySet<string>,
  ): Promise<ContentItem[]> {
    await this.#lookFor(items, likely);
    return items.filter(item => !this.#known.has(keyOf(item)));
  }

  /** Of a page as it is to be. Throws `Unjudged`. */
  async itemsOf(path: string, text: string): Promise<ContentItem[]> {
    // In two threads at once: a long page nearly always has items, and they are those of its base.
    const [items] = await Promise.all([
      contentItems(path, text, await this.reading()),
      text.length > LONG && this.#readBase(path),
    ]);
    return items;
  }

  async #readBase(path: string): Promise<void> {
    if (!this.#pages.includes(path)) return;
    for await (const { text } of this.#texts([path])) await this.#itemsOfBase(path, text);
  }

  /** A page of the base that cannot be judged makes nothing known. */
  async #itemsOfBase(path: string, text: string): Promise<ContentItem[]> {
    try {
      return await contentItems(path, text, await this.reading());
    } catch (error) {
      if (error instanceof Unjudged) return [];
      throw error;
    }
  }

  /** How the site's generator reads its pages, by its configuration. */
  reading(): Promise<SiteReading> {
    this.#reading ??= this.#readReading();
    return this.#reading;
  }

  /** Whether a page of the base names this file. */
  async names(name: string): Promise<boolean> {
    return (await this.unnamed(new Set([name]))).size === 0;
  }

  /**
   * Those that no page of the base has anywhere in its text.
   * @param isIn whether a text has one; by characters, if left out.
   */
  async unnamed(
    texts: ReadonlySet<string>,
    isIn = (text: string, one: string): boolean => text.includes(one),
  ): Promise<Set<string>> {
    const left = new Set(texts);
    if (left.size === 0) return left;
    for await (const { text } of this.#texts()) {
      for (const one of left) if (isIn(text, one)) left.delete(one);
      if (left.size === 0) break;
    }
    return left;
  }

  async #lookFor(items: readonly ContentItem[], likely: ReadonlySet<string>): Promise<void> {
    const open = () =>
      items.filter(item => !this.#known.has(keyOf(item)) && !this.#asked.has(keyOf(item)));
    for (const pages of [this.#pages.filter(path => likely.has(path)), this.#pages]) {
      let hints = hintsOf(open());
      if (hints.length === 0) return;
      for await (const { path, text } of this.#texts(pages)) {
        if (!hints.some(hint => text.includes(hint))) continue;
        for (const item of await this.#itemsOfBase(path, text)) this.#known.add(keyOf(item));
        hints = hintsOf(open());
        if (hints.length === 0) return;
      }
    }
    for (const item of open()) this.#asked.add(keyOf(item));
  }

  async *#texts(pages = this.#pages): AsyncGenerator<{ path: string; text: string }> {
    for (let start = 0; start < pages.length; start += BATCH) {
      const batch = pages.slice(start, start + BATCH);
      const contents = await Promise.all(batch.map(path => this.#snapshot.read(path)));
      for (const [index, path] of batch.entries()) {
        const content = contents[index];
        const text = content && textOf(content);
        if (text !== undefined) yield { path, text };
      }
      await setImmediate();
    }
  }

  async #readReading(): Promise<SiteReading> {
    const paths = [...this.#snapshot.entries.keys()];
    const path = paths.find(one => /(?:^|\/)mkdocs\.ya?ml$/.test(one));
    const mkdocs = path && (await this.#snapshot.read(path))?.toString('utf8');
    return {
      kinds: kindsOf(paths),
      plainPython: mkdocs !== undefined && !mkdocs.includes('superfences'),
      templatesInCode:
        paths.some(one => TEMPLATES.test(one)) || (mkdocs !== undefined && readsTemplates(mkdocs)),
    };
  }
}

const TEMPLATES = /(?:^|\/)(?:_config\.ya?ml|\.?eleventy(?:\.config)?\.[cm]?js)$/;
/** Plugins of MkDocs that read no page as a template. */
const PLAIN_PLUGINS = named(String.raw`
  (?:material/)?(?:search|social|tags|blog|offline|privacy|meta|optimize|typeset|info|group|projects)
  redirects awesome-(?:pages|nav) minify
  git-(?:revision-date(?:-localized)?|authors|committers(?:-2)?|latest-changes) mkdocstrings
  autorefs glightbox mike literate-nav section-index gen-files api-autonav i18n rss swagger-ui-tag
  render_swagger mermaid2 panzoom open-in-new-tab llmstxt(?:-md)? exclude(?:-search)? with-pdf
  pdf-export pdf to-pdf termynal kroki drawio(?:-exporter)? jupyter monorepo multirepo
  techdocs-core same-dir include_dir_to_nav click coverage htmlproofer img2fig caption
  image-captions roamlinks ezlinks markmap nav-weight toggle-sidebar print-site site-urls
  theme-\w+ unused_files badges page-view document-dates video linkcheck spellcheck alias
`);

/** Whether the configuration of MkDocs may have pages read as templates. */
function readsTemplates(mkdocs: string): boolean {
  const { value: config, error } = parseYaml(mkdocs);
  if (error || !isObject(config) || 'INHERIT' in config || 'hooks' in config) return true;
  const names = [config.plugins ?? []]
    .flat()
    .flatMap(one => (isObject(one) ? Object.keys(one) : [one]));
  return names.some(
    name => typeof name !== 'string' || !PLAIN_PLUGINS.test(name.replace(/^mkdocs-/, '')),
  );
}
const MARKERS: readonly [SiteKindName, RegExp][] = [
  ['docs.json', /(?:^|\/)(?:docs|mint)\.json$/],
  ['docusaurus', /(?:^|\/)docusaurus\.config\.[cm]?[jt]s$/],
  ['mkdocs', /(?:^|\/)(?:mkdocs|zensical)\.(?:ya?ml|toml)$/],
  ['starlight', /(?:^|\/)astro\.config\.[cm]?[jt]s$/],
  ['vitepress', /(?:^|\/)\.v(?:ite|ue)press\//],
  ['mdbook', /(?:^|\/)book\.toml$/],
  ['hugo', /(?:^|\/)(?:hugo\.(?:toml|ya?ml|json)|config\/_default\/|archetypes\/)/],
  ['sphinx', /(?:^|\/)conf\.py$/],
];

/** Every generator that could build a page of the repository; none: nothing is known of it. */
function kindsOf(paths: readonly string[]): SiteKindName[] {
  return MARKERS.flatMap(([kind, marker]) => (paths.some(path => marker.test(path)) ? [kind] : []));
}

function hintsOf(items: readonly ContentItem[]): string[] {
  return [...new Set(items.map(({ hint }) => hint))];
}

function keyOf({ rule, key }: ContentItem): string {
  return `${rule} ${key}`;
}
