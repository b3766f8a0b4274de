import { folderOf, isExternal, joinPath } from '../../sites/kinds/paths.ts';
import { parseDescription } from '../../sites/openapi/operations.ts';
import { isObject, objectOf } from '../../sites/values.ts';

/** The member of a whole description that has the files which it is made of. */
export const OTHER_FILES = 'x-other-files';
/** Nothing that people wrote is nested deeper. */
const DEEPEST = 200;

/** Puts the files of one API description together, so that its references lead into itself. */
export class DescriptionFiles {
  /** Files that a reference names and that were not given. */
  readonly lacks = new Set<string>();
  readonly #texts: ReadonlyMap<string, string>;
  readonly #others: Record<string, unknown> = {};
  #main = '';

  constructor(texts: ReadonlyMap<string, string>) {
    this.#texts = texts;
  }

  whole(path: string): unknown {
    this.#main = path;
    const root = this.#read(path);
    if (!isObject(root) || Object.keys(this.#others).length === 0) return root;
    return { ...root, [OTHER_FILES]: this.#others };
  }

  #read(path: string): unknown {
    const text = this.#texts.get(path);
    return text === undefined ? undefined : this.#rewritten(parseDescription(text), path, 0);
  }

  #rewritten(value: unknown, file: string, level: number): unknown {
    if (level > DEEPEST) throw new Error('it is nested too deep');
    if (Array.isArray(value)) return value.map(one => this.#rewritten(one, file, level + 1));
    if (!isObject(value)) return value;
    const members = Object.entries(value).map(([name, member]): [string, unknown] => [
      name,
      name === '$ref' && typeof member === 'string'
        ? this.#reference(member, file)
        : this.#rewritten(member, file, level + 1),
    ]);
    return Object.fromEntries(members);
  }

  /** `users.yaml#/User` as a reference into the whole; what is not a file here stays as it is. */
  #reference(written: string, from: string): string {
    const [target = '', pointer = ''] = written.split('#');
    if (isExternal(target)) return written;
    const file = target === '' ? from : joinPath(folderOf(from), target);
    if (file === undefined) return written;
    if (file === this.#main) return `#${pointer}`;
    if (!this.#texts.has(file)) {
      this.lacks.add(file);
      return written;
    }
    if (!Object.hasOwn(this.#others, file)) {
      this.#others[file] = {}; // files may name each other
      this.#others[file] = this.#read(file);
    }
    return `#/${OTHER_FILES}/${file.replaceAll('~', '~0').replaceAll('/', '~1')}${pointer}`;
  }
}

/** A reference as people write it: `users.yaml#/User`. */
export function referenceText(reference: string): string {
  const start = `#/${OTHER_FILES}/`;
  if (!reference.startsWith(start)) return reference;
  const [file = '', ...pointer] = reference.slice(start.length).split('/');
  const inFile = pointer.length > 0 ? `#/${pointer.join('/')}` : '';
  return file.replaceAll('~1', '/').replaceAll('~0', '~') + inFile;
}

/** Schemas that a description names, by name. */
export function namedSchemas(root: Record<string, unknown>): Record<string, unknown> {
  return { ...objectOf(root.definitions), ...objectOf(objectOf(root.components).schemas) };
}
