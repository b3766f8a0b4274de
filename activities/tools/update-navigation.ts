import {
  followRedirect,
  type Navigation,
  type NavigationEntry,
  type NavigationPlace,
  pageFile,
} from '../../shared/site/navigation.ts';
import { readNavigation } from '../../shared/site/read-navigation.ts';
import { cleanSitePath, sitePath } from '../../shared/site/page-path.ts';
import { appendItem, removeValue, setString, valueAt } from './edit-json.ts';
import { readTextFile, writeTextFile } from './text.ts';
import type { ToolContext } from './tool.ts';

/**
 * What was done to the navigation and the redirects, as sentences; `left` is what could not be
 * done.
 */
export interface UpdatedNavigation {
  /** The navigation files: docs.json and what it refers to. */
  files: string[];
  done: string[];
  left: string[];
}

/**
 * Puts the page's new place into the navigation, and adds a redirect if the site has a list of
 * them.
 */
export async function moveInNavigation(
  from: string,
  to: string,
  context: ToolContext,
): Promise<UpdatedNavigation> {
  const editor = new NavigationEditor(context);
  const navigation = await editor.read();
  const entries = entriesOf(from, navigation, context);
  for (const entry of entries) await editor.set(entry, entryFor(entry.page, to, context));
  editor.note(entries, 'updated');
  await editor.redirect(navigation, from, to);
  return editor.save();
}

/**
 * Takes the page out of the navigation, and adds a redirect if one is asked for and the site has a
 * list.
 */
export async function removeFromNavigation(
  page: string,
  redirectTo: string | undefined,
  context: ToolContext,
): Promise<UpdatedNavigation> {
  const editor = new NavigationEditor(context);
  const navigation = await editor.read();
  const entries = entriesOf(page, navigation, context);
  if (redirectTo !== undefined) await editor.redirect(navigation, page, redirectTo);
  // From the last to the first, so that the positions of those to come stay right.
  for (const entry of [...entries].reverse()) await editor.removeEntry(entry);
  editor.note(entries, 'removed');
  return editor.save();
}

function entriesOf(
  file: string,
  navigation: Navigation,
  { workspace, project }: ToolContext,
): NavigationEntry[] {
  return navigation.entries.filter(
    entry => pageFile(path => workspace.has(path), project.docsFolder, entry.page) === file,
  );
}

/** The file as an entry writes it: as the old entry does, with or without slash and extension. */
function entryFor(old: string, to: string, { project }: ToolContext): string {
  const inDocs = project.docsFolder === '' ? to : to.slice(project.docsFolder.length + 1);
  const bare = /\.mdx?$/i.test(old) ? inDocs : inDocs.replace(/\.mdx?$/i, '');
  return old.startsWith('/') ? `/${bare}` : bare;
}

/** Edits JSON in place: what it does not touch keeps its bytes. */
class NavigationEditor {
  readonly #context: ToolContext;
  readonly #texts = new Map<string, string>();
  readonly #result: UpdatedNavigation = { files: [], done: [], left: [] };

  constructor(context: ToolContext) {
    this.#context = context;
  }

  async read(): Promise<Navigation> {
    const navigation = await readNavigation(
      path => this.#read(path),
      this.#context.project.docsFolder,
    );
    this.#result.files = navigation.files;
    for (const { file, message } of navigation.errors) this.#result.left.push(`${file} ${message}`);
    return navigation;
  }

  async set(place: NavigationPlace, value: string): Promise<void> {
    await this.#edit(place, (text, pointer) => setString(text, pointer, value));
  }

  /** Removes an entry, and the groups that are empty without it. */
  async removeEntry(entry: NavigationPlace): Promise<void> {
    await this.#edit(entry, removeValue);
    const list = entry.pointer.slice(0, -1);
    const group = { file: entry.file, pointer: list.slice(0, -1) };
    const text = await this.#text(entry.file);
    const isEmpty = list.at(-1) === 'pages' && JSON.stringify(valueAt(text, list)) === '[]';
    if (
      isEmpty &&
      typeof group.pointer.at(-1) === 'number' &&
      valueAt(text, [...group.pointer, 'root']) === undefined
    )
      await this.removeEntry(group);
  }

  async redirect(navigation: Navigation, from: string, to: string): Promise<void> {
    const { docsFolder } = this.#context.project;
    const source = sitePath(docsFolder, from);
    const destination = /^https?:/.test(to) ? to : sitePath(docsFolder, to);
    const list = navigation.redirectList;
    if (source === undefined || destination === undefined) return;
    if (!list) {
      if (navigation.files.length > 0)
        this.#result.left.push(
          `${navigation.files[0]} has no list of redirects, so none was added for ${source}`,
        );
      return;
    }
    for (const redirect of navigation.redirects) {
      const place = { file: redirect.file, pointer: [...redirect.pointer, 'destination'] };
      const suffix = /^https?:/.test(destination)
        ? ''
        : (/[?#].*$/s.exec(redirect.destination)?.[0] ?? '');
      if (cleanSitePath(redirect.destination) === source)
        await this.set(place, destination + suffix);
    }
    await this.#edit(list, (text, pointer) => appendItem(text, pointer, { source, destination }));
    // A redirect away from the page's new place would hide it. One of many places is not ours to
    // remove.
    for (const redirect of [...navigation.redirects].reverse()) {
      if (cleanSitePath(redirect.source) === destination) await this.#edit(redirect, removeValue);
      else if (followRedirect([redirect], destination) !== undefined) {
        this.#result.left.push(
          `${redirect.file} redirects ${redirect.source}, which takes readers away from ` +
            `${destination}: change or remove that redirect`,
        );
      }
    }
    this.#result.done.push(`Redirect from ${source} to ${destination} added in ${list.file}.`);
  }

  note(entries: readonly NavigationEntry[], verb: string): void {
    for (const file of new Set(entries.map(entry => entry.file))) {
      const own = entries.filter(entry => entry.file === file).length;
      this.#result.done.push(
        `${own} navigation ${own === 1 ? 'entry' : 'entries'} in ${file} ${verb}.`,
      );
    }
  }

  save(): UpdatedNavigation {
    for (const [file, text] of this.#texts) {
      const refusal = writeTextFile(file, text, this.#context);
      if (refusal !== undefined) this.#result.left.push(refusal);
    }
    return this.#result;
  }

  async #edit(
    { file, pointer }: NavigationPlace,
    change: (text: string, pointer: (string | number)[]) => string,
  ): Promise<void> {
    this.#texts.set(file, change(await this.#text(file), pointer));
  }

  /** What is not text must not be written back as text. */
  async #read(path: string): Promise<string | undefined> {
    if (!this.#context.workspace.has(path)) return undefined;
    const file = await readTextFile(path, this.#context);
    if ('error' in file) this.#result.left.push(file.error);
    return 'error' in file ? undefined : file.text;
  }

  async #text(file: string): Promise<string> {
    return this.#texts.get(file) ?? (await this.#context.workspace.readText(file)) ?? '';
  }
}
