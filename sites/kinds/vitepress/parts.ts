import { plainText, outlinePage } from '../../outline/page-outline.ts';
import { between, codeBlocks, dedented, escaped, numbered, unmarked } from '../cut-text.ts';
import { type CutLines, type FindParts, matchedParts } from '../includes.ts';
import { folderOf, joinPath } from '../paths.ts';
import { slugOf } from './slug.ts';

const INCLUDE =
  /<!--[ \t]*@include:[ \t]*([^\s<>{}#]+)(?:#([^\s{}<>]+))?(?:\{(\d*),?(\d*)\})?[ \t]*-->/g;
const CODE =
  /^(?<indent>[ \t]*)<<<[ \t]*([^\s{}#[\]]+)(?:#([\w-]+))?(?:[ \t]*\{([^}\n]*)\})?(?:[ \t]*\[([^\]\n]+)\])?[ \t]*$/gm;
const REGION = /#?\b(?:end)?region\b/i;

/** `<!--@include: ./a.md{3,}-->`, `<<< @/a.js#region{1,2 ts} [Title]`. */
export function partsOf(docsFolder: string): FindParts[] {
  const fileOf = (path: string, from: string) =>
    path.startsWith('@') ? joinPath(docsFolder, path.slice(1)) : joinPath(folderOf(from), path);
  const code = matchedParts(CODE, ([, , path = '', region, meta = '', title], from) => {
    const language = /(?:^|\s)([a-z][\w+#]*)/i.exec(meta)?.[1] ?? /\.(\w+)$/.exec(path)?.[1] ?? '';
    const cut = unmarked(region === undefined ? undefined : regionOf(region), REGION);
    const info = title === undefined ? language : `${language} [${title}]`;
    return { file: fileOf(path, from), code: info, cut: lines => dedented(cut(lines)) };
  });
  return [
    matchedParts(INCLUDE, ([all, path = '', region, first = '', last = ''], from) => {
      const isRange = /\{\d*,?\d*\}/.test(all);
      const end = all.includes(',') ? last : first;
      return {
        file: fileOf(path, from),
        ...(region !== undefined && { cut: markdownRegion(region) }),
        ...(isRange && { cut: numbered(Number(first) || undefined, Number(end) || undefined) }),
      };
    }),
    (text, file, isPart) => {
      if (!text.includes('<<<')) return [];
      const isCode = codeBlocks(text);
      return code(text, file, isPart).filter(({ start }) => !isCode(start));
    },
  ];
}

/** `// #region name`, `<!-- #region name -->`, `# region name`. */
function regionOf(name: string): CutLines {
  const mark = (word: string) => new RegExp(`#?\\b${word}\\b:?\\s*${escaped(name)}(?![\\w-])`, 'i');
  return between(mark('region'), /#?\bendregion\b/i);
}

/** What a region has, or what stands below a heading with this id. */
function markdownRegion(name: string): CutLines {
  return lines => {
    const region = regionOf(name)(lines);
    if (region) return region;
    const { headings } = outlinePage('part.md', lines.map(({ text }) => text).join('\n'));
    const at = headings.findIndex(({ parts, id }) => (id ?? slugOf(plainText(parts))) === name);
    const heading = headings[at];
    if (!heading) return undefined;
    const next = headings.slice(at + 1).find(({ depth }) => depth <= heading.depth);
    return lines.slice(heading.line - 1, next && next.line - 1);
  };
}
