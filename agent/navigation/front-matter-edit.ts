import { isMap, isScalar, isSeq } from 'yaml';
import { parseBoundedYaml } from '../../sites/bounded-yaml.ts';
import { lineEndOf } from './entry-lists/text-edits.ts';

type Value = string | number;

/**
 * Sets a member of a page's front matter, or adds it at the end; everything else stays as it is. A
 * page without front matter gets one. Undefined if the front matter cannot be read, or the member
 * is written in a way that is not edited.
 */
export function setMember(page: string, name: string, value: Value): string | undefined {
  const matter = matterOf(page);
  if (!matter) return newMatter(page, `${name}: ${JSON.stringify(value)}`);
  const { fence, text } = matter;
  const written = fence === '---' ? yamlSet(text, name, value) : tomlSet(text, name, value);
  return written === undefined ? undefined : withMatter(page, matter, written);
}

/** Adds a text to a list of the front matter, such as `aliases`; one that is there stays alone. */
export function addToList(page: string, name: string, value: string): string | undefined {
  const matter = matterOf(page);
  const lineEnd = lineEndOf(page);
  if (!matter) return newMatter(page, `${name}:${lineEnd}  - ${value}`);
  const { fence, text } = matter;
  const written = fence === '---' ? yamlAdd(text, name, value) : tomlAdd(text, name, value);
  return written === undefined ? undefined : withMatter(page, matter, written);
}

interface Matter {
  fence: string;
  /** The lines between the fences, line ends included. */
  text: string;
  start: number;
  end: number;
}

function matterOf(page: string): Matter | undefined {
  const match = /^(\uFEFF?(---|\+\+\+)[ \t]*\r?\n)((?:[\s\S]*?\n)??)\2[ \t]*(?:\r?\n|$)/.exec(page);
  if (!match) return undefined;
  const [, opening = '', fence = '', text = ''] = match;
  return { fence, text, start: opening.length, end: opening.length + text.length };
}

function withMatter(page: string, { start, end }: Matter, text: string): string {
  return page.slice(0, start) + text + page.slice(end);
}

function newMatter(page: string, line: string): string | undefined {
  // A fence that is not closed, or JSON.
  if (/^\uFEFF?(?:---|\+\+\+|\{)/.test(page)) return undefined;
  const lineEnd = lineEndOf(page);
  return `---${lineEnd}${line}${lineEnd}---${lineEnd}${lineEnd}${page}`;
}

function yamlSet(text: string, name: string, value: Value): string | undefined {
  const document = parseBoundedYaml(text);
  const { contents } = document;
  if (document.errors.length > 0 || (contents !== null && !isMap(contents))) return undefined;
  const pair = contents?.items.find(({ key }) => isScalar(key) && key.value === name);
  if (!pair) return `${text}${name}: ${JSON.stringify(value)}${lineEndOf(text)}`;
  if (!isScalar(pair.value) || !pair.value.range) return undefined;
  const [start, end] = pair.value.range;
  const space = start === end && text[start - 1] === ':' ? ' ' : '';
  return text.slice(0, start) + space + JSON.stringify(value) + text.slice(end);
}

function tomlSet(text: string, name: string, value: Value): string | undefined {
  const [top, rest] = topOfToml(text);
  const pattern = new RegExp(
    `^([ \\t]*${name}[ \\t]*=[ \\t]*)([^#\\r\\n]*?)([ \\t]*(?:#.*)?)$`,
    'm',
  );
  const written = JSON.stringify(value);
  if (pattern.test(top))
    return (
      top.replace(
        pattern,
        (_all, before: string, _old, after: string) => before + written + after,
      ) + rest
    );
  return `${top}${name} = ${written}${lineEndOf(text)}${rest}`;
}

function yamlAdd(text: string, name: string, value: string): string | undefined {
  const document = parseBoundedYaml(text);
  const { contents } = document;
  if (document.errors.length > 0 || (contents !== null && !isMap(contents))) return undefined;
  const lineEnd = lineEndOf(text);
  const pair = contents?.items.find(({ key }) => isScalar(key) && key.value === name);
  if (!pair) return `${text}${name}:${lineEnd}  - ${value}${lineEnd}`;
  const list = pair.value;
  if (!isSeq(list) || !list.range) return undefined;
  if (list.items.some(item => isScalar(item) && item.value === value)) return text;
  const last = list.items.at(-1);
  const end = isScalar(last) && last.range ? last.range[1] : undefined;
  if (list.flow) {
    const at = end ?? list.range[0] + 1;
    return `${text.slice(0, at)}${end === undefined ? '' : ', '}${JSON.stringify(value)}${text.slice(at)}`;
  }
  if (end === undefined) return undefined;
  const lineStart = text.lastIndexOf('\n', end - 1) + 1;
  const prefix = /^[ \t]*-[ \t]+/.exec(text.slice(lineStart))?.[0];
  const next = text.indexOf('\n', end);
  const at = next < 0 ? text.length : next + 1;
  return prefix === undefined
    ? undefined
    : `${text.slice(0, at)}${prefix}${value}${lineEnd}${text.slice(at)}`;
}

function tomlAdd(text: string, name: string, value: string): string | undefined {
  const [top, rest] = topOfToml(text);
  const written = JSON.stringify(value);
  const match = new RegExp(`^[ \\t]*${name}[ \\t]*=[ \\t]*\\[([^\\]]*)\\]`, 'm').exec(top);
  if (!match)
    return new RegExp(`^[ \\t]*${name}[ \\t]*=`, 'm').test(top)
      ? undefined
      : `${top}${name} = [${written}]${lineEndOf(text)}${rest}`;
  const [whole, inner = ''] = match;
  if (inner.includes(written)) return text;
  const at = match.index + whole.length - 1 - (/\s*$/.exec(inner)?.[0].length ?? 0);
  const comma = inner.trim() === '' || inner.trimEnd().endsWith(',') ? ' ' : ', ';
  return `${top.slice(0, at)}${inner.trim() === '' ? '' : comma}${written}${top.slice(at)}${rest}`;
}

/** What stands before the first table. */
function topOfToml(text: string): [top: string, rest: string] {
  const table = /^[ \t]*\[/m.exec(text.replace(/=\s*\[[^\]]*\]/g, part => '.'.repeat(part.length)));
  return table ? [text.slice(0, table.index), text.slice(table.index)] : [text, ''];
}
