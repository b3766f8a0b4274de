import { parseTree } from 'jsonc-parser';
import { type Navigation, NAVIGATION_FILES, type NavigationPlace } from './navigation.ts';
import { cleanSitePath } from './page-path.ts';
import { isObject } from './values.ts';

/**
 * Reads docs.json (or mint.json), following `$ref`s. Entries come in the order in which they are
 * written. Without a navigation file everything is empty. Never throws on content: what is wrong is
 * in `errors`.
 */
export async function readNavigation(
  read: (path: string) => Promise<string | undefined>,
  docsFolder: string,
): Promise<Navigation> {
  const reading = navigationReading(docsFolder);
  let state = reading.next();
  while (!state.done) state = reading.next(await read(state.value));
  return state.value;
}

/**
 * The same for who cannot wait: yields the path of each file that is needed, and takes its text, or
 * undefined if there is none.
 */
export function* navigationReading(docsFolder: string): Reading<Navigation> {
  const reader = new NavigationReader();
  const inDocs = docsFolder === '' ? [] : NAVIGATION_FILES.map(name => `${docsFolder}/${name}`);
  for (const file of [...inDocs, ...NAVIGATION_FILES]) {
    const text = yield file;
    if (text === undefined) continue;
    const root = reader.parse(file, text);
    if (isObject(root)) yield* reader.readRoot(root, { file, pointer: [] });
    break;
  }
  return reader.result;
}

type Reading<T> = Generator<string, T, string | undefined>;

/**
 * Members that hold the levels below: `$ref` may stand in place of any of them or of their items.
 */
export const LEVELS = [
  'languages',
  'versions',
  'products',
  'dropdowns',
  'tabs',
  'anchors',
  'menu',
  'groups',
  'pages',
];
export const LEVEL_TITLES = ['product', 'dropdown', 'tab', 'anchor', 'item', 'group'];
const MAX_REFERENCES = 500;

interface Level {
  crumbs: string[];
  language?: string;
  version?: string;
  boost?: number;
}

class NavigationReader {
  readonly result: Navigation = {
    files: [],
    entries: [],
    redirects: [],
    redirectList: undefined,
    generated: [],
    errors: [],
  };
  #followed = 0;

  parse(file: string, text: string): unknown {
    if (!this.result.files.includes(file)) this.result.files.push(file);
    try {
      return JSON.parse(text.replace(/^\uFEFF/, ''));
    } catch (error) {
      const parseErrors: { offset: number }[] = [];
      parseTree(text, parseErrors as []);
      const line = text.slice(0, parseErrors[0]?.offset ?? 0).split('\n').length;
      this.result.errors.push({
        file,
        line,
        message: `is not valid JSON: ${error instanceof Error ? error.message : 'unreadable'}`,
      });
      return undefined;
    }
  }

  *readRoot(root: Record<string, unknown>, place: NavigationPlace): Reading<void> {
    const top = { crumbs: [] };
    if (root.navigation !== undefined)
      yield* this.#level(root.navigation, at(place, 'navigation'), top, []);
    yield* this.#redirects(root.redirects, at(place, 'redirects'));
  }

  *#level(node: unknown, place: NavigationPlace, above: Level, refs: string[]): Reading<void> {
    if (Array.isArray(node)) {
      for (const [index, item] of node.entries())
        yield* this.#level(item, at(place, index), above, refs);
    } else if (typeof node === 'string') {
      this.#page(node, place, above);
    } else if (isObject(node)) {
      if (typeof node.$ref === 'string')
        yield* this.#follow(node.$ref, place, refs, (target, there, deeper) =>
          this.#level(target, there, above, deeper),
        );
      const level = descend(node, above);
      this.#generated(node);
      if (typeof node.root === 'string') this.#page(node.root, at(place, 'root'), level);
      if (node.global !== undefined)
        yield* this.#level(node.global, at(place, 'global'), level, refs);
      for (const name of LEVELS) {
        if (node[name] !== undefined) yield* this.#level(node[name], at(place, name), level, refs);
      }
    }
  }

  #page(page: string, place: NavigationPlace, level: Level): void {
    // "GET /users" and addresses stand in lists of pages too; neither is a file.
    if (/^[A-Za-z]+ \/|^[a-z][a-z\d+.-]*:|^$/i.test(page)) return;
    this.result.entries.push({ ...level, ...place, page, path: cleanSitePath(page) });
  }

  #generated(node: Record<string, unknown>): void {
    for (const member of [node.openapi, node.asyncapi]) {
      if (member === undefined || member === null) continue;
      const directory =
        isObject(member) && typeof member.directory === 'string'
          ? member.directory
          : 'api-reference';
      this.result.generated.push(cleanSitePath(directory));
    }
  }

  *#redirects(node: unknown, place: NavigationPlace): Reading<void> {
    if (isObject(node) && typeof node.$ref === 'string') {
      yield* this.#follow(node.$ref, place, [], (target, there) => this.#redirects(target, there));
    }
    if (!Array.isArray(node)) return;
    this.result.redirectList = place;
    for (const [index, item] of node.entries()) {
      if (
        isObject(item) &&
        typeof item.source === 'string' &&
        typeof item.destination === 'string'
      ) {
        this.result.redirects.push({
          ...at(place, index),
          source: item.source,
          destination: item.destination,
        });
      }
    }
  }

  /**
   * `refs` is the chain of files that led here: a file that names itself again would never end,
   * and files that each name the next one twice would take 2^n readings, hence the count.
   */
  *#follow(
    ref: string,
    place: NavigationPlace,
    refs: string[],
    then: (target: unknown, there: NavigationPlace, refs: string[]) => Reading<void>,
  ): Reading<void> {
    const file = resolveReference(place.file, ref);
    if (file === undefined || refs.includes(file) || (this.#followed += 1) > MAX_REFERENCES) {
      this.result.errors.push({
        file: place.file,
        line: null,
        message: `has a $ref that cannot be followed: ${ref}`,
      });
      return;
    }
    const text = yield file;
    if (text === undefined) {
      this.result.errors.push({
        file: place.file,
        line: null,
        message: `has a $ref to a missing file: ${ref}`,
      });
      return;
    }
    const target = this.parse(file, text);
    if (target !== undefined)
      yield* then(target, { file, pointer: [] }, [...refs, place.file, file]);
  }
}

function descend(node: Record<string, unknown>, above: Level): Level {
  const titles = [...LEVEL_TITLES, 'version']
    .map(name => node[name])
    .filter((title): title is string => typeof title === 'string');
  return {
    ...above,
    crumbs: [...above.crumbs, ...titles.slice(0, 1)],
    ...(typeof node.language === 'string' ? { language: node.language } : {}),
    ...(typeof node.version === 'string' ? { version: node.version } : {}),
    ...(typeof node.boost === 'number' ? { boost: node.boost } : {}),
  };
}

function resolveReference(from: string, ref: string): string | undefined {
  const parts = ref.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const part of ref.replace(/#.*$/, '').split('/')) {
    if (part === '..' && parts.pop() === undefined) return undefined;
    if (part !== '..' && part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

function at(place: NavigationPlace, key: string | number): NavigationPlace {
  return { file: place.file, pointer: [...place.pointer, key] };
}
