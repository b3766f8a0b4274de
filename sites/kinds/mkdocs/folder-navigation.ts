import { pathMatcher } from '../../glob.ts';
import { below, folderOf, isExternal, joinPath, nameOf } from '../paths.ts';
import { parseYaml } from '../yaml.ts';
import { linesOf, objectOf, textOf } from '../../values.ts';
import {
  entryOf,
  foldersBelow,
  type NavContext,
  type NavEntry,
  pagesBelow,
  pagesIn,
} from './nav-entry.ts';
import { humanized } from './pages.ts';

/** Options of a folder: `.nav.yml` (awesome-nav) or `.pages` (awesome-pages). */
interface FolderOptions {
  file: string;
  title: string | undefined;
  nav: NavEntry[] | undefined;
  hidden: boolean;
  ignored: string[];
  appendsRest: boolean;
  descending: boolean;
}

/**
 * The navigation by folders, as MkDocs makes it without `nav`, and as its two plugins change it by
 * a file in a folder.
 */
export function folderNavigation(
  context: NavContext,
  written: NavEntry[] | undefined,
): { entries: NavEntry[]; files: string[] } {
  const reader = new FolderReader(context);
  const entries = written ? reader.listed(written, '') : reader.folder('');
  return { entries, files: reader.files };
}

class FolderReader {
  readonly files: string[] = [];
  readonly #context: NavContext;
  readonly #optionsFile: string | undefined;
  /** Pages and folders that some list names: the rest is what they do not. */
  readonly #named = new Set<string>();

  constructor(context: NavContext) {
    this.#context = context;
    const { plugins } = context.config;
    this.#optionsFile = plugins.has('awesome-nav')
      ? (textOf(plugins.get('awesome-nav')?.filename) ?? '.nav.yml')
      : plugins.has('awesome-pages')
        ? (textOf(plugins.get('awesome-pages')?.filename) ?? '.pages')
        : undefined;
  }

  folder(folder: string): NavEntry[] {
    const options = this.#options(folder);
    if (!options?.nav) return this.#everything(folder, options);
    return this.listed(options.nav, folder, options);
  }

  listed(entries: NavEntry[], folder: string, options?: FolderOptions): NavEntry[] {
    for (const target of targetsOf(entries)) this.#named.add(this.#pathOf(folder, target));
    const list = entries.flatMap(entry => this.#entry(entry, folder));
    const rest = options?.appendsRest
      ? this.#everything(folder, options).filter(entry => !this.#isNamed(entry))
      : [];
    return [...list, ...rest];
  }

  #entry(entry: NavEntry, folder: string): NavEntry[] {
    const { title, target, children } = entry;
    if (children) return [{ title, children: children.flatMap(one => this.#entry(one, folder)) }];
    if (target === undefined) return [];
    if (isExternal(target)) return [entry];
    const isRest = /^\.\.\.(?:\s*\|\s*(.*))?$/.exec(target);
    if (isRest) return this.#rest(folder, isRest[1]?.trim());
    const path = this.#pathOf(folder, target);
    if (/[*?[{]/.test(target)) return this.#globbed(path);
    if (this.#context.pages.has(path)) return [{ ...entry, target: path }];
    if (foldersBelow(folderOf(path), this.#context.pages).includes(nameOf(path)))
      return [{ title: title ?? this.#titleOf(path), children: this.folder(path) }];
    // MkDocs itself looks for what the plugin does not find, from the docs folder.
    const { source, config } = this.#context;
    return [
      source.has(joinPath(config.docsFolder, path) ?? '') ? { ...entry, target: path } : entry,
    ];
  }

  /** A path is the folder's, else that of the docs folder. */
  #pathOf(folder: string, target: string): string {
    const own = joinPath(folder, target) ?? target;
    const { pages } = this.#context;
    return !pages.has(own) && pages.has(joinPath(target) ?? '') ? (joinPath(target) ?? own) : own;
  }

  /** `...` of awesome-pages: what the list does not name, all of it or by a glob. */
  #rest(folder: string, filter: string | undefined): NavEntry[] {
    const everything = this.#everything(folder, undefined).filter(entry => !this.#isNamed(entry));
    if (filter === undefined || filter === 'flat') return everything;
    const matches = pathMatcher(filter.replace(/^(?:glob|flat)\s*\|?\s*=?/, '').trim() || '*');
    return everything.filter(entry => matches(nameOf(entry.target ?? entry.title ?? '')));
  }

  #globbed(pattern: string): NavEntry[] {
    const matches = pathMatcher(pattern, { dot: false });
    const folder = pattern.replace(/[^/]*[*?[{].*$/, '').replace(/\/$/, '');
    const files = pagesBelow(folder, this.#context.pages).filter(
      path => matches(path) && !this.#named.has(path),
    );
    const folders = foldersBelow(folder, this.#context.pages)
      .map(name => joinPath(folder, name) ?? name)
      .filter(path => matches(path) && !this.#named.has(path))
      .filter(path => !files.some(file => below(path, file) !== undefined));
    return [
      ...sortedFiles(files).map(target => ({ title: undefined, target })),
      ...folders.toSorted(natural).map(path => ({
        title: this.#titleOf(path),
        children: this.folder(path),
      })),
    ];
  }

  #everything(folder: string, options: FolderOptions | undefined): NavEntry[] {
    const { pages } = this.#context;
    const isIgnored = options?.ignored.length ? pathMatcher(options.ignored) : () => false;
    const files = pagesIn(folder, pages).filter(path => !isIgnored(nameOf(path)));
    const folders = foldersBelow(folder, pages)
      .filter(name => !isIgnored(name) && !this.#options(joinPath(folder, name) ?? name)?.hidden)
      .toSorted(natural);
    const list: NavEntry[] = [
      ...sortedFiles(files).map(target => ({ title: undefined, target })),
      ...folders.map(name => {
        const path = joinPath(folder, name) ?? name;
        return { title: this.#titleOf(path), children: this.folder(path), folder: path };
      }),
    ];
    return options?.descending ? list.toReversed() : list;
  }

  #isNamed({ target, children = [], folder }: NavEntry): boolean {
    if (target !== undefined) return this.#named.has(target);
    if (folder !== undefined && this.#named.has(folder)) return true;
    return children.length > 0 && children.every(one => this.#isNamed(one));
  }

  #titleOf(folder: string): string {
    return this.#options(folder)?.title ?? humanized(nameOf(folder));
  }

  #options(folder: string): FolderOptions | undefined {
    if (this.#optionsFile === undefined) return undefined;
    const { source, config } = this.#context;
    const file = joinPath(config.docsFolder, folder, this.#optionsFile);
    const text = file === undefined ? undefined : source.read(file);
    if (text === undefined || file === undefined) return undefined;
    if (!this.files.includes(file)) this.files.push(file);
    const options = objectOf(parseYaml(text).value);
    const list = options.nav ?? options.arrange;
    return {
      file,
      title: textOf(options.title),
      nav: Array.isArray(list) ? list.flatMap(entryOf) : undefined,
      hidden: options.hide === true,
      ignored: linesOf(options.ignore),
      appendsRest: options.append_unmatched === true,
      descending: options.order === 'desc' || objectOf(options.sort).direction === 'desc',
    };
  }
}

function targetsOf(entries: readonly NavEntry[]): string[] {
  return entries.flatMap(({ target, children }) =>
    children ? targetsOf(children) : target === undefined ? [] : [target.replace(/\/$/, '')],
  );
}

/** The folder's own page first, then by name. */
function sortedFiles(files: readonly string[]): string[] {
  const isIndex = (path: string) => /(?:^|\/)(?:index|README)\.\w+$/.test(path);
  return files.toSorted((a, b) => Number(isIndex(b)) - Number(isIndex(a)) || natural(a, b));
}

const collator = new Intl.Collator('en', { numeric: true });

function natural(a: string, b: string): number {
  return collator.compare(a, b) || (a < b ? -1 : 1);
}
