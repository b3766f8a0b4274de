import { pathMatcher } from '../../glob.ts';
import { folderOf, isExternal, joinPath } from '../paths.ts';
import type { NavigationItem, SiteProblem, SiteSource } from '../site-kind.ts';
import type { SphinxDocument } from './documents.ts';

interface Toctree {
  entries: { text: string; line: number }[];
  isGlob: boolean;
  isHidden: boolean;
  isReversed: boolean;
}

/** The tree of documents that toctrees make, from the root document, flattened. */
export function readToctrees(
  source: SiteSource,
  documents: readonly SphinxDocument[],
  rootDoc: string,
): { navigation: NavigationItem[]; problems: SiteProblem[] } {
  const byName = new Map(documents.map(document => [document.name, document]));
  const navigation: NavigationItem[] = [];
  const problems: SiteProblem[] = [];
  const seen = new Set<string>([rootDoc]);
  const visit = (document: SphinxDocument, crumbs: string[]): void => {
    for (const tree of toctreesOf(document, source.read(document.file) ?? '')) {
      for (const entry of entriesOf(tree, document, byName, problems)) {
        if (!entry.document) {
          navigation.push({ title: entry.title, href: entry.href ?? '', crumbs });
          continue;
        }
        const { path, file, name, ownTitle } = entry.document;
        const title = entry.title === '' ? ownTitle : entry.title;
        navigation.push({ title, path, file, crumbs });
        if (seen.has(name)) continue;
        seen.add(name);
        visit(entry.document, [...crumbs, title]);
      }
    }
  };
  const root = byName.get(rootDoc);
  if (root) visit(root, []);
  return { navigation, problems };
}

interface Entry {
  title: string;
  document?: SphinxDocument;
  href?: string;
}

function entriesOf(
  tree: Toctree,
  from: SphinxDocument,
  byName: ReadonlyMap<string, SphinxDocument>,
  problems: SiteProblem[],
): Entry[] {
  const missing = (target: string, line: number, what: string): void => {
    const message = `The toctree names ${target}, ${what}.`;
    problems.push({ rule: 'navigation', file: from.file, line, link: target, message });
  };
  const entries = tree.entries.flatMap(({ text, line }): Entry[] => {
    const [, label = '', named] = /^(.*?)\s*<([^<>]+)>$/.exec(text) ?? [];
    const target = (named ?? text).trim();
    const title = named === undefined ? '' : label.trim();
    if (isExternal(target)) return [{ title: title === '' ? target : title, href: target }];
    if (target === 'self') return [{ title, document: from }];
    const base = target.startsWith('/') ? '' : folderOf(from.name);
    const name = joinPath(base, target) ?? target;
    if (tree.isGlob && /[*?[]/.test(name)) {
      const matches = pathMatcher(name);
      const found = [...byName.values()].filter(one => matches(one.name) && one !== from);
      if (found.length === 0) missing(target, line, 'which no document matches');
      return found
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
        .map(document => ({ title: '', document }));
    }
    const document = byName.get(name) ?? byName.get(name.replace(/\.(?:md|rst|txt|ipynb)$/, ''));
    if (document) return [{ title, document }];
    // Pages that Sphinx makes itself.
    if (/^(?:genindex|modindex|search|py-modindex)$/.test(target)) return [{ title, href: target }];
    missing(target, line, 'which does not exist');
    return [];
  });
  return tree.isReversed ? entries.toReversed() : entries;
}

/** The toctree directives of a document, in Markdown or reStructuredText. */
function toctreesOf(document: SphinxDocument, text: string): Toctree[] {
  const pattern = document.isMarkdown
    ? /^[ \t]*([`:~]{3,})\{toctree\}[^\n]*\n([\s\S]*?)^[ \t]*\1[ \t]*$/gm
    : /^([ \t]*)\.\. toctree::[^\n]*\n((?:[ \t]*\n|\1[ \t]+[^\n]*\n?)*)/gm;
  const shown = document.isMarkdown ? withoutLiterals(text) : text;
  return Array.from(shown.matchAll(pattern), match => {
    const first = text.slice(0, match.index).split('\n').length + 1;
    return readToctree((match[2] ?? '').split('\n'), first);
  });
}

/** Lines in fences that hold code are emptied. As many lines and characters as before. */
export function withoutLiterals(text: string): string {
  const open: { fence: string; isCode: boolean }[] = [];
  return text
    .split('\n')
    .map(line => {
      const [, mark = '', info = ''] = /^\s*(`{3,}|~{3,}|:{3,})(.*)$/.exec(line) ?? [];
      const inner = open.at(-1);
      if (inner && info.trim() === '' && mark.startsWith(inner.fence)) open.pop();
      else if (inner?.isCode) return ' '.repeat(line.length);
      else if (mark !== '' && (info.trim() !== '' || !mark.startsWith(':')))
        open.push({ fence: mark, isCode: !/^\s*\{(?!code|literal)/.test(info) });
      return line;
    })
    .join('\n');
}

function readToctree(lines: readonly string[], firstLine: number): Toctree {
  const tree: Toctree = { entries: [], isGlob: false, isHidden: false, isReversed: false };
  let inYaml = false;
  for (const [index, written] of lines.entries()) {
    const line = written.trim();
    if (line === '---') inYaml = !inYaml;
    const option = /^:(\w+):|^(\w+):/.exec(line);
    const name = option?.[1] ?? (inYaml ? option?.[2] : undefined);
    if (name === 'glob') tree.isGlob = true;
    if (name === 'hidden') tree.isHidden = true;
    if (name === 'reversed') tree.isReversed = true;
    if (line !== '' && line !== '---' && name === undefined && !inYaml && !line.startsWith('%'))
      tree.entries.push({ text: line, line: firstLine + index });
  }
  return tree;
}
