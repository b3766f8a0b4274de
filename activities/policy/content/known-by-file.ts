import { posix } from 'node:path';
import type { ContentItem } from './item.ts';

/** Of mdBook: it takes the file's lines into the page. */
const INCLUDE = /^(template )(\{\{#(?:include|rustdoc_include|playground))( )([^\s:{}]+)/;
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
  if (item.key.startsWith('element <script'))
    return {
      ...item,
      key: item.key.replace(
        MODULE,
        (_whole, lead: string, quote: string, file: string) => lead + quote + from(file) + quote,
      ),
    };
  const [whole = '', rule = '', name = '', space = '', file = ''] = INCLUDE.exec(item.key) ?? [];
  if (whole === '' || file.startsWith('/')) return item;
  return {
    ...item,
    key: rule + name + space + from(file) + item.key.slice(whole.length),
    hint: name,
  };
}
