import { isAlias, isMap, isNode, isScalar, isSeq } from 'yaml';
import { parseBoundedYaml } from '../bounded-yaml.ts';

/** How many nodes are read, those that aliases repeat included, and how deep. */
const MAX_NODES = 200_000;
const MAX_DEPTH = 100;

/**
 * YAML as plain values. Tags such as `!!python/name` keep their text; nothing is constructed.
 * Never throws.
 */
export function parseYaml(text: string): {
  value: unknown;
  error?: { line: number; message: string };
} {
  try {
    const document = parseBoundedYaml(text, {
      resolveKnownTags: false,
      uniqueKeys: false,
    });
    const [problem] = document.errors;
    const value = new PlainReader().read(document.contents, 0);
    if (!problem) return { value };
    const line = text.slice(0, problem.pos[0]).split('\n').length;
    return { value, error: { line, message: `cannot be read: ${problem.message}` } };
  } catch {
    return { value: null, error: { line: 1, message: 'cannot be read: it is nested too deep.' } };
  }
}

class PlainReader {
  readonly #anchors = new Map<string, unknown>();
  #left = MAX_NODES;

  read(node: unknown, depth: number): unknown {
    if (depth > MAX_DEPTH || (this.#left -= 1) < 0) return null;
    if (isAlias(node)) return this.read(this.#anchors.get(node.source), depth + 1);
    if (isNode(node) && node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    if (isMap(node)) return this.#members(node.items, depth + 1);
    if (isSeq(node)) return this.#list(node, depth + 1);
    // `!ENV NAME` is known to the build only.
    if (!isScalar(node) || node.tag === '!ENV') return null;
    return node.value === '' && node.tag?.includes('python/name:') ? node.tag : node.value;
  }

  #members(items: readonly { key: unknown; value: unknown }[], depth: number): unknown {
    const own: [string, unknown][] = [];
    const common: [string, unknown][] = [];
    for (const { key, value } of items) {
      const name = String(this.read(key, depth));
      const inner = this.read(value, depth);
      // `<<: *common` puts the members of other maps in.
      if (name === '<<')
        for (const map of [inner].flat()) common.push(...Object.entries(map ?? {}));
      else own.push([name, inner]);
    }
    return Object.fromEntries([...common, ...own]);
  }

  /** `!ENV [NAME, default]` is its default. */
  #list({ items, tag }: { items: unknown[]; tag?: string | undefined }, depth: number): unknown {
    const values = items.map(item => this.read(item, depth));
    return tag === '!ENV' ? (values.length > 1 ? values.at(-1) : null) : values;
  }
}
