import { keptOutline } from '../../outline/kept-outlines.ts';
import {
  type PageOutline,
  plainText,
  trailingBraces,
  withoutBraces,
} from '../../outline/page-outline.ts';
import { between, escaped, numbered, unmarked } from '../cut-text.ts';
import { type CutLines, type FindParts, matchedParts, shownPages } from '../includes.ts';
import { folderOf, joinPath } from '../paths.ts';
import type { ShownPages, SiteSource } from '../site-kind.ts';
import { linesOf, objectOf, textOf } from '../../values.ts';
import type { MkDocsConfig } from './config.ts';

/** Pages as Python-Markdown reads them, with snippets and includes put in. */
export function shownByPython(source: SiteSource, config: MkDocsConfig): ShownPages {
  return shownPages(source, partsOf(source, config), (file, text) =>
    keptOutline(file, unindented(text)),
  );
}

/** Folders in which snippets and includes are looked for, by the syntax that uses them. */
function includeFolders(config: MkDocsConfig): string[] {
  const snippets = config.extensions.get('pymdownx.snippets');
  const macros = config.plugins.get('macros');
  const root = config.files[0]?.includes('/') ? config.files[0].replace(/\/[^/]*$/, '') : '';
  const include = config.extensions.get('markdown_include.include');
  const named = [snippets?.base_path, include?.base_path, macros?.include_dir].flatMap(linesOf);
  return [...named, '.', textOf(config.settings.docs_dir) ?? 'docs']
    .map(folder => joinPath(root, folder))
    .filter(folder => folder !== undefined);
}

/** `--8<-- "a.md:2:8"`, alone or in a list, `{% include "a.md" %}` and `{!a.md!}`. */
function partsOf(source: SiteSource, config: MkDocsConfig): FindParts[] {
  const folders = includeFolders(config);
  const fileOf = (name: string, from: string) =>
    [...(/^\.{1,2}\//.test(name) ? [folderOf(from)] : []), ...folders]
      .map(folder => joinPath(folder, name))
      .find(one => one !== undefined && source.has(one));
  return [
    matchedParts(INCLUDE, ([, , ...names], from) => {
      const written = names.find(one => one !== undefined)?.trim() ?? '';
      const [, name = '', part = ''] = /^(.*?)(?::([\w:-]*))?$/.exec(written) ?? [];
      const file = name.startsWith(';') ? undefined : fileOf(name, from);
      return file === undefined ? undefined : { file, cut: unmarked(sectionOf(part), SECTION) };
    }),
    matchedParts(INCLUDE_MARKDOWN, ([, , name = '', options = ''], from) => {
      const file = fileOf(name, from);
      const [start, end] = ['start', 'end'].map(key => {
        const mark = new RegExp(`\\b${key}=(["'])(.+?)\\1`).exec(options)?.[2];
        return mark === undefined ? undefined : new RegExp(escaped(mark));
      });
      const isPart = start !== undefined || end !== undefined;
      return file === undefined ? undefined : { file, ...(isPart && { cut: between(start, end) }) };
    }),
    listedSnippets(fileOf),
  ];
}

/** The marks alone in their lines, and files between them. */
function listedSnippets(fileOf: (name: string, from: string) => string | undefined): FindParts {
  return (text, from) => {
    if (!text.includes('8<-')) return [];
    return Array.from(
      text.matchAll(/^[ \t]*-+8<-+[ \t]*\r?\n((?:(?!.*8<-)[^\n]*\n){1,100})[ \t]*-+8<-+[ \t]*$/gm),
    ).flatMap(({ index, 0: all, 1: names = '' }) => {
      let at = index + all.indexOf('\n') + 1;
      const files = names.split('\n').map(line => {
        const found = { start: at, end: at + line.length, file: fileOf(line.trim(), from) };
        at += line.length + 1;
        return found;
      });
      const [first, last] = [files[0]?.start ?? index, files.at(-1)?.start ?? index];
      const marks = [
        { start: index, end: first - 1 },
        { start: last, end: index + all.length },
      ];
      return files.some(({ file }) => file !== undefined) ? [...marks, ...files] : [];
    });
  };
}

/** `2:8` are lines, a name is what `[start:name]` and `[end:name]` are around. */
function sectionOf(part: string): CutLines | undefined {
  if (part === '') return undefined;
  const [, first, last] = /^(\d*):?(\d*)$/.exec(part) ?? [];
  if (first !== undefined) return numbered(Number(first) || undefined, Number(last) || undefined);
  const mark = (word: string) => new RegExp(`8<-+\\s*\\[${word}:\\s*${escaped(part)}\\s*\\]`);
  return between(mark('start'), mark('end'));
}

const SECTION = /8<-+\s*\[(?:start|end):/;
const INCLUDES = [
  /-+8<-+[ \t]*["'](;?[^"'\n]+)["']/,
  /\{%-?[ \t]*include[ \t]+["']([^"'\n]+)["'][^\n}]*%\}/,
  /\{!([^!\n]+)!\}/,
].map(pattern => pattern.source);
const INCLUDE = new RegExp(`^(?<indent>[ \\t]*)(?:${INCLUDES.join('|')})[ \\t]*$`, 'gm');
const INCLUDE_MARKDOWN = /\{%-?\s*include-markdown\s+(["'])([^"'\n]+)\1([^%]{0,1000})%\}/g;

/** Whether something of the page is put in that could not be read. */
export function hasUnknownParts(
  { text }: PageOutline,
  { plugins, settings }: MkDocsConfig,
): boolean {
  if (linesOf(settings.hooks).length > 0) return true;
  if (plugins.has('macros') && /^\{[{%]/m.test(text)) return true;
  // `::: name` is replaced by what a tool says of some code.
  return /^[ \t]*(?:-+8<-+[ \t]*["'](?!;)|\{%-?\s*include(?:-markdown)?\s|::: ?[\w-]|\{!)/m.test(
    text,
  );
}

/** The id in an attribute list: `#id`, `id="id"`. */
export function writtenId(attributes: string): string | undefined {
  const match = /(?:^|\s)(?:#([^\s}]+)|id=(?:"([^"]*)"|'([^']*)'|([^\s}]+)))/.exec(attributes);
  return match?.slice(1).find(one => one !== undefined);
}

/** Text of admonitions, details and tabs is indented by four: Markdown elsewhere calls it code. */
function unindented(text: string): string {
  let depth = 0;
  let fence: string | undefined;
  return text
    .split('\n')
    .map(line => {
      const indent = /^ */.exec(line)?.[0].length ?? 0;
      if (line.trim() !== '' && fence === undefined)
        depth = Math.min(depth, Math.floor(indent / 4));
      const inner = line.slice(Math.min(indent, depth * 4));
      const mark = /^ *(```+|~~~+)/.exec(inner)?.[1];
      if (mark && (fence === undefined || mark.startsWith(fence)))
        fence = fence === undefined ? mark : undefined;
      if (fence === undefined && /^(?:!!!|\?\?\?\+?|===[+!]*)\s*["\w]/.test(inner)) {
        depth += 1;
        return '';
      }
      // A heading needs no space behind its marks.
      return fence === undefined ? inner.replace(/^(#{1,6})(?=[^#\s!{])/, '$1 ') : inner;
    })
    .join('\n');
}

/** Ids as the `toc` extension makes them. */
/** The function that makes the ids of headings, if it is none that is known. */
export function unknownSlugFunction({ extensions }: MkDocsConfig): string | undefined {
  const slugify = extensions.get('toc')?.slugify;
  const name = typeof slugify === 'string' ? slugify.replace(/^.*python\/name:/, '') : '';
  return name === '' || /^(?:pymdownx\.|markdown\.)/.test(name) ? undefined : name;
}

export function headingIds(config: MkDocsConfig): (outline: PageOutline) => string[] {
  const toc = config.extensions.get('toc') ?? {};
  const slugify = JSON.stringify(toc.slugify ?? '');
  const separator = typeof toc.separator === 'string' ? toc.separator : '-';
  const isUnicode = /pymdownx|slugify_unicode/.test(slugify) || objectOf(toc.slugify).kwds != null;
  const slugOf = isUnicode ? unicodeSlug : asciiSlug;
  // `[File][package.File]` is a reference to an object of some code.
  const hasReferences = ['autorefs', 'mkdocstrings'].some(name => config.plugins.has(name));
  return outline => {
    const used = new Set<string>();
    return outline.headings.map(({ parts, id: written }) => {
      if (written !== undefined) return written;
      const shown = plainText(parts).replace(/:[a-z\d_+-]+:/g, '');
      const text = hasReferences ? shown.replace(/\[([^[\]]*)\]\[[^[\]]*\]/g, '$1') : shown;
      const attributes = trailingBraces(text).replace(/^\{:?|\}$/g, '');
      const own = writtenId(attributes.trimStart());
      const title = /[#.=]/.test(attributes) ? withoutBraces(text) : text;
      const id = unique(own ?? slugOf(title, separator), used);
      used.add(id);
      return id;
    });
  };
}

function asciiSlug(text: string, separator: string): string {
  return [...text.normalize('NFKD')]
    .filter(char => char.charCodeAt(0) < 128)
    .join('')
    .replace(/[^\w\s-]/g, '')
    .trim()
    .toLowerCase()
    .replace(/[-\s]+/g, separator);
}

function unicodeSlug(text: string, separator: string): string {
  return text
    .normalize('NFC')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}_\- ]/gu, '')
    .replaceAll(' ', separator);
}

function unique(id: string, used: ReadonlySet<string>): string {
  let next = id;
  while (used.has(next) || next === '') {
    const counted = /^(.+)_(\d+)$/.exec(next);
    next = counted ? `${counted[1]}_${Number(counted[2]) + 1}` : `${next}_1`;
  }
  return next;
}

/** As the `footnotes` extension: `fn:name`, and back `fnref:name`, `fnref2:name` and so on. */
export function footnoteIds({ text }: PageOutline): string[] {
  const counts = new Map<string, number>();
  const defined = new Set(Array.from(text.matchAll(/^ {0,3}\[\^([^\]\n]+)\]:/gm), m => m[1] ?? ''));
  for (const [, name = ''] of text.matchAll(/\[\^([^\]\n]+)\](?!:)/g))
    counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].flatMap(([name, count]) =>
    defined.has(name)
      ? [
          `fn:${name}`,
          ...Array.from({ length: count }, (_, i) => `fnref${i === 0 ? '' : i + 1}:${name}`),
        ]
      : [],
  );
}
