import { codeBlocks, filledIn } from '../cut-text.ts';
import type { FindParts, FoundPart } from '../includes.ts';
import { folderOf, joinPath } from '../paths.ts';
import { jsonOf, listOf, objectOf } from '../../values.ts';
import type { PlacedLine, SiteSource } from '../site-kind.ts';
import type { HugoConfig } from './config.ts';

/** Shortcodes that show a file, or the text of their own template. */
function templatesOf(source: SiteSource): ReadonlyMap<string, 'reads' | { file: string }> {
  // Those of themes that a site gets as modules.
  const found = new Map<string, 'reads' | { file: string }>([
    ['readfile', 'reads'],
    ['include', 'reads'],
  ]);
  for (const file of source.paths) {
    const name = /(?:^|\/)layouts\/_?shortcodes\/(.+)\.(?:html|md)$/.exec(file)?.[1];
    if (name === undefined) continue;
    const template = (source.read(file) ?? '').replace(COMMENT, '');
    if (READS.test(template) && SHOWS.test(template)) found.set(name, 'reads');
    else if (isText(template)) found.set(name, { file });
    else found.delete(name);
  }
  return found;
}

/** A template that takes a file or page, and shows its text or the cells of its notebook. */
const READS = /\breadFile\b|\bos\.ReadFile\b|\bGetPage\b|\bResources\.Get|\bresources\.Get\b/;
const SHOWS = /\.RenderShortcodes\b|\.RawContent\b|\breadFile\b|\bos\.ReadFile\b|"cell_type"/;
const COMMENT = /\{\{-?\s*\/\*[\s\S]*?\*\/\s*-?\}\}/g;
const ARGUMENT_OF = /\{\{-?\s*\.Get\s+(?:"(\w+)"|(\d))\s*-?\}\}/g;

/** Words, and nothing to work out but arguments. */
function isText(template: string): boolean {
  const text = template.replace(ARGUMENT_OF, '');
  return (
    !text.includes('{{') && /\p{L}{3}/u.test(text.replace(/<(?:style|script)[\s\S]*|<[^>]*>/g, ''))
  );
}

/** `{{% name "path" %}}`, `{{< name file="path" code="true" >}}` and `{{< text-of-ours >}}`. */
export function partsOf(source: SiteSource, config: HugoConfig): FindParts {
  const templates = templatesOf(source);
  const fileNamed = fileReader(source, config);
  return (text, from) => {
    if (!/\{\{[<%]/.test(text)) return [];
    const isCode = codeBlocks(text);
    return Array.from(text.matchAll(CALL)).flatMap(
      ({ index: start, 0: all, 1: name = '', 2: given }) => {
        const template = templates.get(name);
        const values = argumentsOf((given ?? '').replace(/\/$/, ''));
        const part =
          template === 'reads' ? fileNamed(values, from) : template && textOf(template, values);
        if (!part) return [];
        return [
          { ...part, start, end: start + all.length, ...(isCode(start) && { code: undefined }) },
        ];
      },
    );
  };
}

type Part = Pick<FoundPart, 'file' | 'cut' | 'code'>;
type Arguments = ReadonlyMap<string, string>;

const CALL = /\{\{[<%][ \t]*(\w[\w/-]*)([^{}\n]*)[>%]\}\}/g;

/** By name, or by place: `0`, `1`. */
function argumentsOf(written: string): Map<string, string> {
  const found = written.matchAll(/(?:(?<!\w)(\w+)=[ \t]*)?(?:"([^"]*)"|`([^`]*)`|([^\s"`=]+))/g);
  return new Map(
    Array.from(found, ([, name, ...values], i) => [
      name ?? String(i),
      values.find(one => one !== undefined) ?? '',
    ]),
  );
}

function textOf({ file }: { file: string }, values: Arguments): Part {
  const filled = filledIn(ARGUMENT_OF, ([name, place]) => values.get(name ?? place ?? '') ?? '');
  const uncommented = (lines: PlacedLine[]) =>
    lines.map(line => ({ ...line, text: line.text.replace(COMMENT, '') }));
  return { file, cut: lines => filled(uncommented(lines)) };
}

/** The file that arguments mean: beside the page, or from the top of a mounted folder. */
function fileReader(source: SiteSource, { languages, staticFolders, root }: HugoConfig) {
  const mounts = languages.flatMap(language => language.mounts.map(mount => mount.source));
  const tops = [...new Set([...mounts, ...staticFolders, root])];
  const all = tops.flatMap(top => [top, `${top}/examples`, `${top}/includes`]);
  return (values: Arguments, from: string): Part | undefined => {
    const argument = ['file', 'path', 'page', 'src', '0'].map(key => values.get(key)).find(Boolean);
    // A bare word is a name of something else.
    if (!argument || !/[./]/.test(argument)) return undefined;
    const file = (argument.startsWith('/') ? all : [folderOf(from), ...all])
      .flatMap(folder => ENDINGS.map(ending => joinPath(folder, argument + ending)))
      .find(path => path !== undefined && source.has(path));
    if (file === undefined) return undefined;
    if (file.endsWith('.ipynb')) return { file, cut: lines => notebookLines(lines, file) };
    const isShown = /\.(?:md|markdown|html)$/.test(file) && values.get('code') !== 'true';
    const language = values.get('lang') ?? values.get('language') ?? /\.(\w+)$/.exec(file)?.[1];
    return { file, ...(!isShown && { code: language ?? '' }) };
  };
}

const ENDINGS = ['', '.md', '/index.md', '/_index.md'];

/** The Markdown of a notebook. */
function notebookLines(lines: PlacedLine[], file: string): PlacedLine[] {
  return listOf(objectOf(jsonOf(lines.map(({ text }) => text).join('\n'))).cells)
    .map(objectOf)
    .filter(cell => cell.cell_type === 'markdown')
    .map(({ source }) => (Array.isArray(source) ? source.join('') : String(source)))
    .flatMap(text => [...text.split('\n'), ''])
    .map(text => ({ text, file, line: 1 }));
}
