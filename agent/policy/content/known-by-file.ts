import { posix } from 'node:path';
import type { ContentItem } from './item.ts';

/** What takes a file into the page in mdBook, MyST and VitePress, up to its path; with a hint. */
const INCLUDES: readonly [before: RegExp, hint?: string][] = [
  [/^template \{\{#(?:include|rustdoc_include|playground) /, '{{#'],
  [/^fence (?:\{(?:include|literalinclude)\} ){1,2}/],
  [/^snippet <!-- ?@include: ?/, '@include'],
  [/^snippet <<< ?/, '<<<'],
];
const PATH = /^[^\s:{}#<>/@][^\s:{}#<>]*?(?=--|[\s:{}#<>]|$)/;
const MODULE = /(\b(?:from|import)\s*)(["'])(\.\.?\/[^"'\n]*)\2/g;

/**
 * An inclusion, and a script with its modules, are known by their files, as an import is: a page that
 * moves has other paths to the same files, and brings nothing new.
 */
export function knownByFile<Item extends Pick<ContentItem, 'key' | 'hint'>>(
  item: Item,
  path: string,
): Item {
  const from = (file: string) => posix.join('/', posix.dirname(path), file);
  const { key } = item;
  if (key.startsWith('element <script'))
    return {
      ...item,
      key: key.replace(
        MODULE,
        (_whole, lead: string, quote: string, file: string) => lead + quote + from(file) + quote,
      ),
    };
  for (const [pattern, hint = item.hint] of INCLUDES) {
    const before = pattern.exec(key)?.[0];
    const file = before === undefined ? undefined : PATH.exec(key.slice(before.length))?.[0];
    if (before === undefined || file === undefined) continue;
    const rest = key.slice(before.length + file.length);
    return { ...item, key: before + (shapeOf(file, path) ?? from(file) + rest), hint };
  }
  return item;
}

/** Files of one kind in one folder of the repository are included alike. */
function shapeOf(file: string, path: string): string | undefined {
  const whole = posix.join(posix.dirname(path), file);
  const [, folder, ending] = /^([^/]+)\/.*(\.[a-z\d]+)$/i.exec(whole) ?? [];
  const isOdd = folder === undefined || ending === undefined || /(?:^|\/)\./.test(whole);
  return isOdd ? undefined : `${folder}/*${ending}`;
}
