import { decoded } from '../paths.ts';

/** One entry of `SUMMARY.md`. */
export interface Chapter {
  title: string;
  /** As written, without angle brackets; null for a draft chapter (`[Title]()`). */
  target: string | null;
  /** Titles of the part and the chapters above, outermost first. */
  crumbs: string[];
  /** 1-based. */
  line: number;
}

/** Reads the list of chapters: part titles, prefix and suffix chapters, nested lists. */
export function readSummary(text: string): Chapter[] {
  const chapters: Chapter[] = [];
  let part: string[] = [];
  let above: { indent: number; title: string }[] = [];
  let sawTitle = false;
  for (const [index, line] of withoutComments(text).split('\n').entries()) {
    const heading = /^#\s/.test(line)
      ? line
          .slice(1)
          .trim()
          .replace(/(?<!#)#+$/, '')
          .trim()
      : '';
    if (heading !== '') {
      // The first heading is the title of the file, unless chapters came before it.
      if (sawTitle || chapters.length > 0) part = [plain(heading)];
      sawTitle = true;
      above = [];
      continue;
    }
    const entry = ENTRY.exec(line);
    if (!entry) continue;
    const [, indent = '', label = '', target = ''] = entry;
    const width = indent.replaceAll('\t', '    ').length;
    above = above.filter(one => one.indent < width);
    const title = plain(label);
    const file = decoded(target.replace(/^<|>$/g, '')).replace(/^\.\//, '');
    chapters.push({
      title,
      target: file === '' ? null : file,
      crumbs: [...part, ...above.map(one => one.title)],
      line: index + 1,
    });
    above.push({ indent: width, title });
  }
  return chapters;
}

/** A link behind a list mark; its label may hold code and brackets. */
const ENTRY =
  /^(\s*)(?:[-*+]\s+)?\[((?:[^\][\\`]|\\.|`[^`]*`|\[[^\]]*\])*)\]\(\s*(<[^>]*>|[^)]*?)\s*\)/;

function withoutComments(text: string): string {
  return text.replace(/<!--[\s\S]*?-->/g, comment => comment.replace(/[^\n]/g, ''));
}

/** A label without its Markdown: `` `code` `` and emphasis lose their marks. */
function plain(label: string): string {
  return label
    .replace(/`([^`]*)`/g, '$1')
    .replace(/(\*\*|__|\*)(.+?)\1/g, '$2')
    .replace(/\\(.)/g, '$1')
    .trim();
}
