import { parse } from 'jsonc-parser';
import { parseMeta } from '../../../sites/kinds/folder/meta-files.ts';
import { objectOf } from '../../../sites/values.ts';
import { isPlainLabel } from '../../policy/targets.ts';

/** A separator, or the name of a file or folder, with folders before it. */
const NAME = /^(?:---[^[\]()]*---|[\p{L}\p{N}_()+~-]+(?:[./ ][\p{L}\p{N}_()+~-]+)*)$/u;

/** What changes between two texts of a file that lists pages, apart from entries of plain names. */
export function otherMetaChanges(file: string, before: string, after: string): string[] {
  const [old, now] = [before, after].map(text => parseMeta(text, file));
  const strict: unknown[] = [];
  parse(after, strict as []);
  if (!old || !now || strict.length > 0 || now.entries.length !== now.list.children?.length)
    return [`${file} cannot be read as a list of pages.`];
  const isWhole = now.list.type === 'object';
  const rests = [before, after].map(text => {
    const { pages: _pages, ...rest } = objectOf(parse(text));
    return isWhole ? '' : JSON.stringify(rest);
  });
  const known = new Map(old.entries.map(({ name, value }) => [name, written(before, value)]));
  const strange = now.entries.filter(({ name, value }) => {
    if (known.has(name) && known.get(name) === written(after, value)) return false;
    const label = value === undefined ? '' : value.type === 'string' ? String(value.value) : null;
    const isName = NAME.test(name);
    return !isName || label === null || !isPlainLabel(name + label);
  });
  return [
    ...(rests[0] === rests[1] ? [] : [`${file} changes more than the list of pages.`]),
    ...strange.map(({ name }) => `${file} has an entry that is not a plain name: ${name}.`),
  ];
}

function written(text: string, node?: { offset: number; length: number }): string {
  return node ? text.slice(node.offset, node.offset + node.length) : '';
}
