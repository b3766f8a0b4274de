import { folderOf, joinPath, nameOf } from '../paths.ts';
import type { Site, SitePage, SiteSource, Unread } from '../site-kind.ts';

/** A generator whose rules are not known here. */
export interface Generator {
  name: string;
  /** The file that gives it away. */
  file: string;
}

/** Paths of files, and what one of them contains, that give a generator away; the first one counts. */
const MARKS: readonly [name: string, path: RegExp, content?: RegExp][] = [
  ['Fumadocs', /^(?:.*\/)?source\.config\.[cm]?[jt]s$/, /fumadocs/],
  ['Nextra', /^(?:.*\/)?theme\.config\.(?:[jt]sx?|mjs)$/],
  ['Nextra', /^(?:.*\/)?next\.config\.[cm]?[jt]s$/, /nextra/],
  ['Rspress', /^(?:.*\/)?rspress\.config\.[cm]?[jt]s$/],
  ['VuePress', /^(?:.*\/)?\.vuepress\/config\.[cm]?[jt]s$/],
  ['VuePress', /^(?:.*\/)?\.vuepress\/config\/index\.[jt]s$/],
  ['Docsify', /^(?:.*\/)?index\.html$/, /\$docsify/],
  ['Quarto', /^(?:.*\/)?_quarto\.ya?ml$/],
  ['Antora', /^(?:.*\/)?antora\.ya?ml$/],
  [
    'just-the-docs',
    /^(?:.*\/)?_config\.ya?ml$/,
    /^\s*(?:remote_)?theme:\s*["']?(?:[\w-]+\/)?just-the-docs/m,
  ],
  ['Jekyll', /^(?:.*\/)?_config\.ya?ml$/],
  ['MkDocs', /^(?:.*\/)?mkdocs[-_.][^/]*\.ya?ml$/, /^site_name:/m],
  ['Sphinx', /^(?:.*\/)?conf\.py$/, /^(?:extensions|html_theme|project)\s*=/m],
  ['Lume', /^(?:.*\/)?_config\.[jt]s$/, /\blume\//],
  ['Eleventy', /^(?:.*\/)?(?:\.eleventy|eleventy\.config)\.[cm]?[jt]s$/],
  ['Gatsby', /^(?:.*\/)?gatsby-config\.[cm]?[jt]s$/],
  ['Docusaurus 1', /^(?:.*\/)?siteConfig\.js$/, /headerLinks|docsUrl/],
  ['GitBook', /^(?:.*\/)?\.gitbook\.ya?ml$/],
  ['GitBook', /^(?:.*\/)?SUMMARY\.md$/],
];
/** Folders of one job or of no site. */
const ASIDE = /(?:^|\/)(?:node_modules|vendor|venv|\.venv|tests?|fixtures?|examples?)\//;

/** The generator that a folder's pages seem to be for: its mark is in, above or beside the folder. */
export function generatorOf(source: SiteSource, folder: string): Generator | undefined {
  const files = source.paths.filter(path => !ASIDE.test(path) && isNear(placeOf(path), folder));
  for (const [name, path, content] of MARKS) {
    const file = files.find(
      one =>
        path.test(one) && (!content || content.test((source.read(one) ?? '').slice(0, 60_000))),
    );
    if (file !== undefined) return { name, file };
  }
  return undefined;
}

/** The first Docusaurus is in a folder beside that of its docs. */
function placeOf(path: string): string {
  return nameOf(path) === 'siteConfig.js' ? folderOf(folderOf(path)) : folderOf(path);
}

/** Whether one of the folders contains the other. `.vuepress` counts as its parent. */
function isNear(place: string, folder: string): boolean {
  const own = place.replace(/(?:^|\/)\.\w+(?:\/.*)?$/, '');
  const contains = (outer: string, inner: string) =>
    outer === '' || inner === outer || inner.startsWith(`${outer}/`);
  return contains(own, folder) || contains(folder, own);
}

/** Targets of links, without an ending, that no file answers; fewer may be mistakes. */
const MOST_MISTAKES = 10;

/**
 * Where most links are addresses of a site and not files, something builds one: what they lead to
 * is not known.
 */
export function seemsBuilt(
  pages: readonly SitePage[],
  source: SiteSource,
  resolve: Site['resolve'],
): boolean {
  const [dead, alive] = [new Set<string>(), new Set<string>()];
  for (const { file } of pages)
    for (const { kind, url } of source.outline(file).links) {
      if (kind !== 'link') continue;
      const target = resolve(url, file);
      if (target.kind === 'page' && !url.startsWith('#')) alive.add(target.page.file);
      if (target.kind === 'file') alive.add(target.file);
      if (target.kind !== 'missing' || /\.[^/]*$/.test(target.path)) continue;
      const folder = target.path.startsWith('/') ? '' : folderOf(file);
      dead.add(joinPath(folder, target.path) ?? target.path);
    }
  return dead.size >= MOST_MISTAKES && dead.size > alive.size;
}

/** Said of such a site. */
export function builtBySomething(root: string): Unread {
  return {
    ...{ file: root === '' ? '.' : root, line: null },
    message:
      'Most links are addresses and not files, so something seems to build a site of these pages: ' +
      'its navigation is not read, and of its links only relative ones to Markdown files are judged. ' +
      'With the address of the published site, its addresses are learned from it.',
  };
}

/** What is not known of its site, and what would help. */
export function notKnown({ name, file }: Generator, isListRead: boolean): Unread {
  // Its rules are known; the file has another name than usual.
  const isKnown = name === 'MkDocs';
  const read = isKnown ? ` \`docent check --config ${file}\` reads it.` : '';
  return {
    ...{ file, line: null },
    message:
      `This looks like a ${name} site, ${isListRead ? '' : 'whose navigation is not read and '}` +
      'whose rules for addresses are not known: its links are not ' +
      'judged. With the address of the published site, its addresses are learned from it.' +
      read,
  };
}
