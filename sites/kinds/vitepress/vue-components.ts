import type { PageOutline } from '../../outline/page-outline.ts';

/** A component on a page, with its attributes as written: `:tags` is bound to an expression. */
export interface Component {
  name: string;
  attributes: ReadonlyMap<string, string>;
}

/** Components of these names, without those in code. */
export function componentsOf(outline: PageOutline, names: readonly string[]): Component[] {
  const used = outline.components.filter(({ name }) => names.includes(name));
  if (used.length === 0) return [];
  const lines = outline.text.split('\n');
  return used.map(({ name, line }) => {
    const text = lines.slice(line - 1, line - 1 + MOST_LINES).join('\n');
    const written = new RegExp(`<${name}\\b((?:"[^"]*"|'[^']*'|[^"'>])*)`).exec(text)?.[1] ?? '';
    const attributes = new Map<string, string>();
    for (const match of written.matchAll(/([:@\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g))
      attributes.set(match[1] ?? '', match[2] ?? match[3] ?? '');
    return { name, attributes };
  });
}

/** Of one tag. */
const MOST_LINES = 30;
