import { likelyLinks } from '../../sites/page-links.ts';
import { resolveLink, type SiteFiles, siteFiles } from '../../sites/resolve-link.ts';
import { isPagePath } from '../../sites/markdown.ts';
import { isRoute, type Navigation } from '../../sites/navigation.ts';
import { readNavigation } from '../../sites/read-navigation.ts';
import { nearestOf } from '../tools/near.ts';
import { type PageFacts, pageFacts } from './page-facts.ts';

/**
 * What is wrong with a link. Two with the same key are the same mistake, wherever they are written.
 */
export interface LinkProblem {
  rule: 'link' | 'anchor';
  key: string;
  /** The site or repository path that the link names. */
  path: string;
  anchor: string | null;
}

/** The docs at one moment, with what links can lead to; reads and parses on demand. */
export class SiteView {
  readonly site: SiteFiles;
  readonly paths: readonly string[];
  readonly #readText: (path: string) => Promise<string | undefined>;
  #navigation: Promise<Navigation> | undefined;
  #nearest: ((wanted: string, count: number) => string[]) | undefined;

  constructor(
    paths: readonly string[],
    docsFolder: string,
    readText: (path: string) => Promise<string | undefined>,
  ) {
    this.paths = paths;
    this.site = siteFiles(paths, docsFolder);
    this.#readText = readText;
  }

  readText(path: string): Promise<string | undefined> {
    return this.#readText(path);
  }

  navigation(): Promise<Navigation> {
    this.#navigation ??= readNavigation(this.#readText, this.site.docsFolder);
    return this.#navigation;
  }

  /** The page's facts, or undefined if there is no such file. */
  async facts(path: string): Promise<PageFacts | undefined> {
    const text = await this.#readText(path);
    return text === undefined ? undefined : pageFacts(path, text);
  }

  /** ` Nearest: a, b.`, or nothing. */
  hint(wanted: string): string {
    this.#nearest ??= nearestOf(this.paths);
    const near = this.#nearest(wanted, 2);
    return near.length === 0 ? '' : ` Nearest: ${near.join(', ')}.`;
  }

  /**
   * Why a link written in `from` leads nowhere, or undefined if it is good or external.
   */
  async linkProblem(url: string, from: string): Promise<LinkProblem | undefined> {
    const target = resolveLink(url, from, this.site);
    if (target.kind === 'external') return undefined;
    if (target.file === undefined) {
      return isRoute(await this.navigation(), target.path, this.site.docsFolder)
        ? undefined
        : { rule: 'link', key: `link ${target.path}`, path: target.path, anchor: null };
    }
    const { file, anchor } = target;
    // Browsers take #top and text fragments for themselves.
    if (anchor === null || anchor === 'top' || anchor.startsWith(':~:') || !isPagePath(file))
      return undefined;
    const anchors = (await this.facts(file))?.anchors;
    if (!anchors || anchors.has(anchor) || anchors.has(anchor.toLowerCase())) return undefined;
    return { rule: 'anchor', key: `anchor ${file}#${anchor}`, path: file, anchor };
  }
}

/** The base of a job, with an index of its links. Kept by who has the base: it is asked often. */
export class BaseView extends SiteView {
  readonly #pages: string[];
  #links: Promise<Map<string, string[]>> | undefined;
  #titlesAreUsual: Promise<boolean> | undefined;

  constructor(
    paths: readonly string[],
    docsFolder: string,
    readText: (path: string) => Promise<string | undefined>,
  ) {
    super(paths, docsFolder, readText);
    this.#pages = paths.filter(
      path => isPagePath(path) && (docsFolder === '' || path.startsWith(`${docsFolder}/`)),
    );
  }

  /** Every page of the docs with what looks like a link in its text. */
  links(): Promise<Map<string, string[]>> {
    this.#links ??= this.#scan();
    return this.#links;
  }

  /**
   * Most pages name their title in frontmatter, so that a new page has to as well. A sample of 20
   * tells.
   */
  titlesAreUsual(): Promise<boolean> {
    this.#titlesAreUsual ??= this.#sampleTitles();
    return this.#titlesAreUsual;
  }

  async #sampleTitles(): Promise<boolean> {
    const sample = this.#pages.filter(
      (_, index) => index % Math.ceil(this.#pages.length / 20) === 0,
    );
    const texts = await Promise.all(sample.map(path => this.readText(path)));
    const titled = texts.filter(text =>
      /^---\r?\n(?:(?!---).*\r?\n)*?title:/.test(text ?? ''),
    ).length;
    return sample.length > 0 && titled / sample.length > 0.8;
  }

  async #scan(): Promise<Map<string, string[]>> {
    const links = new Map<string, string[]>();
    for (const path of this.#pages) links.set(path, likelyLinks((await this.readText(path)) ?? ''));
    return links;
  }
}
