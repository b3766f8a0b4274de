import { stringify } from 'yaml';
import { isObject } from '../../sites/values.ts';
import { referenceText } from './description-files.ts';

/** Characters of one answer. */
export const MOST_CHARACTERS = 24_000;
/** References followed one after the other; fewer if the text gets too long. */
const DEPTHS = [8, 5, 3, 2, 1, 0];
const MOST_NODES = 10_000;

interface Resolved {
  text: string;
  /** References whose target is not in the text. */
  left: string[];
}

/**
 * A part of a description as YAML. A reference keeps its name, and what it leads to stands beside
 * it, the first time only. If this gets too long, deeper references are left as they are.
 */
export function resolvedText(node: unknown, resolve: (node: unknown) => unknown): Resolved {
  let result: Resolved = { text: '', left: [] };
  for (const depth of DEPTHS) {
    result = withDepth(node, resolve, depth);
    if (result.text.length <= MOST_CHARACTERS) return result;
  }
  const end = result.text.lastIndexOf('\n', MOST_CHARACTERS);
  const shown = result.text.slice(0, end > 0 ? end : MOST_CHARACTERS);
  const rest = result.text.length - shown.length;
  return { ...result, text: `${shown}\n[${rest} more characters are not shown.]` };
}

function withDepth(start: unknown, resolve: (node: unknown) => unknown, depth: number): Resolved {
  const shown = new Set<string>();
  const left = new Set<string>();
  let room = MOST_NODES;
  const visit = (value: unknown, level: number): unknown => {
    if ((room -= 1) < 0) return '[not shown: too much]';
    if (Array.isArray(value)) return value.map(one => visit(one, level));
    if (!isObject(value)) return value;
    const { $ref: reference, ...members } = value;
    const own = Object.entries(members).map(([name, one]) => [name, visit(one, level)] as const);
    if (typeof reference !== 'string')
      return Object.fromEntries(
        reference === undefined ? own : [['$ref', visit(reference, level)], ...own],
      );
    const named = { $ref: referenceText(reference), ...Object.fromEntries(own) };
    if (shown.has(reference)) return named;
    const target = level < depth ? resolve({ $ref: reference }) : undefined;
    if (target === undefined) {
      left.add(named.$ref);
      return named;
    }
    shown.add(reference);
    const written = visit(target, level + 1);
    return isObject(written) ? { ...written, ...named } : { ...named, value: written };
  };
  const text = stringify(visit(start, 0), { lineWidth: 0, aliasDuplicateObjects: false });
  const unseen = [...left].filter(one => ![...shown].some(each => referenceText(each) === one));
  return { text, left: unseen };
}
