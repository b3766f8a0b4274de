import { pathMatcher } from '../../glob.ts';
import { keptOutline } from '../../outline/kept-outlines.ts';
import { firstTitle, type OutlineHeading, type PageOutline } from '../../outline/page-outline.ts';
import { objectOf, textOf } from '../../values.ts';
import { shownPages } from '../includes.ts';
import { basePathOf, below, folderOf, joinPath, withBase } from '../paths.ts';
import { UNPLACED } from '../navigation.ts';
import type { ShownPages, SitePage, SiteSource } from '../site-kind.ts';
import { parseYaml } from '../yaml.ts';
import { documentPath, type SphinxConfig } from './config.ts';
import { partsOf } from './parts.ts';

/** A document, with the name that toctrees and references use. */
export interface SphinxDocument extends SitePage {
  /** Path below the source folder without ending. */
  name: string;
  isMarkdown: boolean;
  ownTitle: string;
}

export function readDocuments(source: SiteSource, folder: string, config: SphinxConfig) {
  const exclude = config.exclude.flatMap(pattern => [pattern, `${pattern.replace(/\/$/, '')}/**`]);
  const isExcluded = exclude.length > 0 ? pathMatcher(exclude, { dot: true }) : () => false;
  const documents: SphinxDocument[] = [];
  const excluded: string[] = [];
  const names = new Set<string>();
  for (const file of source.paths) {
    const path = below(folder, file);
    const suffix = config.suffixes.find(one => file.endsWith(one));
    if (path === undefined || suffix === undefined) continue;
    const name = path.slice(0, -suffix.length);
    if (isExcluded(path) || isExcluded(file) || names.has(name) || /(?:^|\/)_build\//.test(path))
      excluded.push(file);
    else {
      names.add(name);
      documents.push(documentAt(source, file, name, config));
    }
  }
  return { documents, excluded };
}

function documentAt(
  source: SiteSource,
  file: string,
  name: string,
  config: SphinxConfig,
): SphinxDocument {
  const isMarkdown = !/\.(?:rst|txt)$/.test(file);
  const path = documentPath(name);
  const written = config.isDirHtml ? (path === '/' ? '/' : `${path}/`) : `/${name}.html`;
  const outline = isMarkdown ? source.outline(file) : undefined;
  const title = outline ? firstTitle(outline) : restructuredTitle(source.read(file) ?? '');
  return {
    file,
    name,
    isMarkdown,
    path,
    url: withBase(basePathOf(config.baseUrl ?? undefined), written),
    language: config.language,
    ...UNPLACED,
    ownTitle: typographic(title ?? name),
  };
}

/** Documents that are `orphan`, or a part of another one: Sphinx wants neither in a toctree. */
export function markUnlisted(source: SiteSource, documents: readonly SphinxDocument[]): void {
  const byFile = new Map(documents.map(document => [document.file, document]));
  const included = new Set<string>();
  for (const document of documents) {
    const text = source.read(document.file) ?? '';
    const { frontMatter } = source.outline(document.file);
    if ('orphan' in frontMatter || /^:orphan:/.test(text)) document.unlisted = true;
    for (const [, path = ''] of text.matchAll(
      /^[ \t]*(?:[`:~]{3,}\{include\}|\.\. include::)[ \t]+(\S+)/gm,
    ))
      included.add(joinPath(folderOf(document.file), path) ?? '');
  }
  for (const file of included) {
    const document = byFile.get(file);
    if (document) document.unlisted = true;
  }
}

/** The first line that is underlined. */
function restructuredTitle(text: string): string | null {
  const match = /^(?![=~#*^"'`.:+-]+\s*$)(\S.*)\n([=~#*^"'`.:+-])\2{2,}\s*$/m.exec(text);
  return match?.[1]?.trim() ?? null;
}

/** As smartquotes shows it. */
function typographic(text: string): string {
  return text
    .replace(/(\w)'(\w)/g, '$1’$2')
    .replace(/(^|\s)"/g, '$1“')
    .replaceAll('"', '”')
    .replaceAll("'", '’')
    .replace(/\.\.\./g, '…')
    .replace(/---/g, '—')
    .replace(/--/g, '–');
}

/** Markdown with its `{include}`s put in, and nothing of other formats. */
export function shownBySphinx(source: SiteSource, folder: string): ShownPages {
  const shown = shownPages(source, [partsOf(folder)], (file, text) => {
    const outline = keptOutline(file, withoutDirectiveBodies(text));
    const sections = schemaSections(source, outline);
    if (sections.length === 0) return outline;
    const headings = [...outline.headings, ...sections].toSorted((a, b) => a.line - b.line);
    return { ...outline, headings };
  });
  const isRead = (file: string) => /\.(?:md|markdown)$/.test(file);
  return {
    page: file =>
      isRead(file) ? shown.page(file) : { text: source.read(file) ?? '', lines: [], parts: [] },
    outline: file => (isRead(file) ? shown.outline(file) : keptOutline(file, '')),
  };
}

/** `.. jsonschema:: path` and `{jsonschema} path`: a section with the title of the schema. */
function schemaSections(source: SiteSource, { file, text }: PageOutline): OutlineHeading[] {
  if (!text.includes('jsonschema')) return [];
  return text.split('\n').flatMap((written, index): OutlineHeading[] => {
    const path = /^\s*(?:\.\. jsonschema::|[`:]{3,}\{jsonschema\})\s+(\S+)/.exec(written)?.[1];
    const schema = path === undefined ? undefined : joinPath(folderOf(file), path);
    const { value } = parseYaml((schema && source.read(schema)) ?? '');
    const title = textOf(objectOf(value).title);
    if (title === undefined) return [];
    // Deeper than any heading: MyST gives it no slug.
    return [{ depth: 7, parts: [{ kind: 'text', value: title }], raw: title, line: index + 1 }];
  });
}

/**
 * Directives hold Markdown: their fences go, unless what they hold is code. A heading in one does
 * not begin a section.
 */
function withoutDirectiveBodies(text: string): string {
  const fences: (string | undefined)[] = [];
  let literal: string | undefined;
  return text
    .split('\n')
    .map(line => {
      const mark = /^(`{3,}|~{3,}|:{3,})\s*(\{[^}]*\})?(.*)$/.exec(line.trimStart());
      if (literal !== undefined) {
        if (mark && !mark[2] && mark[3]?.trim() === '' && (mark[1] ?? '').startsWith(literal))
          literal = undefined;
        return line;
      }
      if (!mark) return fences.length === 0 ? line : line.replace(/^(\s*)#{1,6}(?=\s)/, '$1');
      const [, fence = '', directive, rest = ''] = mark;
      if (directive && (fence.startsWith(':') || HOLDS_MARKDOWN.test(directive))) {
        fences.push(fence);
        return HOLDS_MARKDOWN.test(directive) ? '' : line;
      }
      if (!directive && rest.trim() === '' && fences.includes(fence)) {
        fences.splice(fences.lastIndexOf(fence));
        return '';
      }
      if (fence.startsWith(':')) return line;
      literal = fence;
      return line;
    })
    .join('\n');
}

const HOLDS_MARKDOWN = new RegExp(
  '^\\{(?:note|warning|tip|important|caution|danger|error|hint|attention|seealso|admonition|' +
    'dropdown|tab-set|tab-item|tabs|tab|card|grid|grid-item|grid-item-card|div|topic|sidebar|' +
    'versionadded|versionchanged|deprecated|margin|details)\\}$',
);

const FENCE = /^[ \t]*([`:~]{3,})\{([\w:-]+)\}/;
/** In these a `#` is not a heading. */
const CODE =
  /^(?:code|source|literal|parsed|raw|math|prompt|console|doctest|test|ipython|jupyter|mermaid|graphviz|uml|csv|list-table|table|toctree)/;

/** Whether a directive of the site may show headings of its text, whose ids then count on. */
export function hasHeadingInOwnDirective(text: string): boolean {
  let fence = '';
  return text.split('\n').some(line => {
    const [, mark = '', name = ''] = FENCE.exec(line) ?? [];
    const isOwn = name !== '' && !CODE.test(name) && !HOLDS_MARKDOWN.test(`{${name}}`);
    if (fence === '' && isOwn) fence = mark;
    else if (fence !== '' && line.trim() === fence) fence = '';
    return fence !== '' && /^#{1,6} /.test(line);
  });
}
