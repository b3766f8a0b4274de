import { type FindParts, type FoundPart, partBody } from './includes.ts';
import { codeBlocks, escaped, filledIn } from './cut-text.ts';

const IMPORT =
  /^import\s+(?:([A-Z]\w*)|\{([^{}]*)\})\s+from\s+["']([^"'\n]+)["'][ \t]*;?[ \t]*(?:\n(?=import\b))?/gm;
/** Other statements of a module, which have no meaning in the middle of a page. */
const STATEMENT =
  /^(?:import\s(?:[^;'"`]{0,2000}\sfrom\s)?["'][^"'\n]+["']|export\s+const\s[^\n]*)[ \t]*;?/gm;
/** Parts that one page imports. */
const MOST_NAMES = 200;
const ATTRIBUTE = /(?<!\w)([A-Za-z_]\w*)=(?:\{\s*)?(?:"([^"\n]*)"|'([^'\n]*)'|`([^`$\n]*)`)/g;

/** A component of the platform's own that shows a file: `<Snippet file="a.mdx" />`. */
interface Snippet {
  name: string;
  fileOf(path: string): string | undefined;
}

/**
 * Parts of pages in MDX: `import Part from './_part.mdx'`, and `<Part />` where it is shown. `fileOf`
 * is the file of a specifier, if there is one.
 */
export function importedMarkdown(
  fileOf: (path: string, from: string) => string | undefined,
  snippet?: Snippet,
): FindParts {
  return (text, file, isPart) => {
    const names = new Map<string, string>();
    const found: FoundPart[] = [];
    if (snippet && text.includes(`<${snippet.name}`)) names.set(snippet.name, '');
    const isCode = /^[ \t>]*(?:```|~~~)/m.test(text) ? codeBlocks(text) : () => false;
    for (const match of text.includes('import') ? text.matchAll(IMPORT) : []) {
      const [all, name, members = '', path = ''] = match;
      const part = isMarkdown(path) && !isCode(match.index) ? fileOf(path, file) : undefined;
      if (part === undefined) continue;
      // Astro's component of the text is a member.
      const shown = name ?? /\bContent(?:\s+as\s+(\w+))?/.exec(members)?.[1] ?? 'Content';
      if (name === undefined && !/\bContent\b/.test(members)) continue;
      if (names.size < MOST_NAMES) names.set(shown, part);
      found.push({ start: match.index, end: match.index + all.length });
    }
    if (isPart)
      for (const { index: start, 0: all } of text.matchAll(STATEMENT))
        if (!isCode(start)) found.push({ start, end: start + all.length });
    if (names.size === 0) return found;
    for (const part of tagsOf(text, names, snippet))
      if (!isCode(part.start) && text[part.start - 1] !== '`') found.push(part);
    return found;
  };
}

/** A page without imports, exports and comments: readers see none of them. */
export function withoutStatements(text: string): string {
  const isCode = codeBlocks(text);
  const pattern = new RegExp(
    `${STATEMENT.source}\\n?|\\{/\\*[\\s\\S]{0,5000}?\\*/\\}|<!--[\\s\\S]{0,5000}?-->`,
    'gm',
  );
  return text.replace(pattern, (all, index: number) => (isCode(index) ? all : ''));
}

function isMarkdown(path: string): boolean {
  return /\.(?:mdx?|markdown)$/i.test(path);
}

function tagsOf(
  text: string,
  names: ReadonlyMap<string, string>,
  snippet: Snippet | undefined,
): FoundPart[] {
  const name = [...names.keys()].map(escaped).join('|');
  const tags = new RegExp(
    `<(/?)(${name})(?![\\w.-])((?:[^<>"'\`]|"[^"]{0,500}"|'[^']{0,500}'|\`[^\`]{0,500}\`){0,1000})>`,
    'g',
  );
  return Array.from(text.matchAll(tags)).flatMap(match => {
    const [all, slash, tag = '', written = ''] = match;
    const place = { start: match.index, end: match.index + all.length };
    if (slash) return [place];
    const attributes = new Map(
      Array.from(written.matchAll(ATTRIBUTE), ([, key = '', ...values]) => [
        key,
        values.find(one => one !== undefined) ?? '',
      ]),
    );
    // `{props.name}` and `{name}` of a part are what its component is given.
    const given = filledIn(/\{\s*(?:props\.)?(\w+)\s*\}/g, ([key = '']) => attributes.get(key));
    const file =
      tag === snippet?.name ? snippet.fileOf(attributes.get('file') ?? '') : names.get(tag);
    return file === undefined ? [] : [{ ...place, file, cut: lines => given(partBody(lines)) }];
  });
}
