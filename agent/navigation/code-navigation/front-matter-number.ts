import { isMap, isScalar } from 'yaml';
import { parseBoundedYaml } from '../../../sites/bounded-yaml.ts';

/**
 * A page with a number in its YAML front matter, such as `sidebar_position` or `sidebar.order`. The
 * rest of the front matter keeps its bytes; undefined if it cannot be read.
 */
export function withFrontMatterNumber(
  text: string,
  path: readonly [string] | readonly [string, string],
  number: number,
): string | undefined {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const fence = /^\uFEFF?---[ \t]*\r?\n/.exec(text)?.[0];
  const entry = lines(path, number, end);
  if (fence === undefined)
    return text.startsWith('+++') ? undefined : `---${end}${entry}---${end}${end}${text}`;
  const close = /^---[ \t]*$/m.exec(text.slice(fence.length))?.index;
  if (close === undefined) return undefined;
  const matter = text.slice(fence.length, fence.length + close);
  const document = parseBoundedYaml(matter);
  if (document.errors.length > 0) return undefined;
  const [outer, inner] = path;
  const old = document.getIn([...path], true);
  const place = isScalar(old) ? old.range : undefined;
  const splice = (from: number, to: number, written: string) =>
    fence + matter.slice(0, from) + written + matter.slice(to) + text.slice(fence.length + close);
  if (place) return splice(place[0], place[1], String(number));
  const map = inner === undefined ? undefined : document.get(outer, true);
  if (map === undefined || map === null) return splice(matter.length, matter.length, entry);
  const [first] = isMap(map) && !map.flow ? map.items : [];
  const start = (first?.key as { range?: [number, number, number] } | undefined)?.range?.[0];
  if (start === undefined) return undefined;
  const indent = /[ \t]*$/.exec(matter.slice(0, start))?.[0] ?? '';
  return splice(start, start, `${inner}: ${number}${end}${indent}`);
}

function lines([outer, inner]: readonly [string, string?], number: number, end: string): string {
  return inner === undefined
    ? `${outer}: ${number}${end}`
    : `${outer}:${end}  ${inner}: ${number}${end}`;
}
