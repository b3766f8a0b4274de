import { addToList, setMember } from '../front-matter-edit.ts';
import { same } from '../entry-lists/find-entry.ts';
import type {
  EntryPosition,
  EntryReference,
  NavigationChange,
  NavigationEdit,
  NavigationEditing,
} from '../navigation-edit.ts';
import { isExternal, folderOf, nameOf } from '../../../sites/kinds/paths.ts';
import type { NavigationItem, Site, SiteSource } from '../../../sites/kinds/site-kind.ts';

/** By folder and `weight`; redirects are the `aliases` of the page that they lead to. */
export const hugoNavigation: NavigationEditing = {
  describe: () => ({
    files: [],
    rule:
      'The navigation is made from the folders, in the order of `weight` in the front matter, ' +
      'then by title. `aliases` of a page are redirects to it.',
  }),
  edit: (source, site, edit) => new HugoEditor(source, site).edit(edit),
  otherChanges: (_site, file) => [`${file} holds more than navigation.`],
};

const NO_CHANGE = { files: new Map<string, string>(), done: [], left: [] };
/** More files than these are not changed to put one page in its place. */
const MOST_FILES = 12;

class HugoEditor {
  readonly #source: SiteSource;
  readonly #site: Site;

  constructor(source: SiteSource, site: Site) {
    this.#source = source;
    this.#site = site;
  }

  edit(edit: NavigationEdit): NavigationChange {
    switch (edit.kind) {
      case 'add-page':
        return edit.position ? this.#place(edit.file, edit.position) : listed();
      case 'move-entry': {
        const item = this.#find(edit.entry);
        return 'refused' in item ? item : this.#place(item.file ?? '', edit.position);
      }
      case 'move-page':
        return edit.redirect ? this.#redirect(edit.from, edit.to, edit.from) : NO_CHANGE;
      case 'remove-page':
        return edit.redirectTo === undefined
          ? NO_CHANGE
          : this.#redirect(edit.file, edit.redirectTo);
      case 'add-redirect':
        return this.#addAlias(edit.from, edit.to);
      case 'rename-entry':
        return this.#rename(edit.entry, edit.title);
      case 'remove-entry':
        return refused(
          'Hugo lists every page of a section. To take one out, delete the page, or set what the ' +
            'theme reads in its front matter, such as `sidebar: {exclude: true}` or `toc_hide: true`.',
        );
      case 'add-group':
        return refused(
          `A group of a Hugo site is a folder with an _index.md: create FOLDER/_index.md with ` +
            `\`title: ${edit.title}\`, and move or create the pages in that folder.`,
        );
    }
  }

  /** Gives the page, and as few others as needed, a weight that puts it where it is asked for. */
  #place(file: string, position: EntryPosition): NavigationChange {
    const wanted = this.#order(file, position);
    if ('refused' in wanted) return wanted;
    const { files, at } = wanted;
    const weights = newWeights(
      files.map(one => this.#weight(one)),
      at,
    );
    const texts = new Map<string, string>();
    for (const [index, one] of files.entries()) {
      const weight = weights[index];
      if (weight === undefined || weight === this.#weight(one)) continue;
      const text = setMember(this.#source.read(one) ?? '', 'weight', weight);
      if (text === undefined) return refused(`The front matter of ${one} cannot be edited.`);
      texts.set(one, text);
    }
    if (texts.size > MOST_FILES)
      return refused(
        `${texts.size} pages would need a new weight, because most have none. ` +
          'Set `weight` on the pages of the section that matter, then place this one.',
      );
    const names = [...texts.keys()].map(one => `${one} (weight ${this.#weightIn(texts, one)})`);
    return {
      files: texts,
      done: [`Placed by weight: ${names.join(', ') || 'no change needed'}.`],
      left: [],
    };
  }

  /** The pages of the section in the wanted order, and where the page is among them. */
  #order(
    file: string,
    position: EntryPosition,
  ): { files: string[]; at: number } | { refused: string } {
    const section = sectionOf(file);
    const siblings = this.#site.navigation
      .flatMap(item => item.file ?? [])
      .filter(one => one !== file && sectionOf(one) === section);
    if ('group' in position) {
      const own = this.#site.navigation.find(item => item.file === file)?.crumbs ?? [];
      const isOwn = position.group.every((title, i) =>
        same(title, own[own.length - position.group.length + i] ?? ''),
      );
      if (!isOwn) return refused(`${file} is in “${own.join(' > ')}”: ${MOVE_FIRST}`);
      const at = position.at === 'start' ? 0 : siblings.length;
      return { files: siblings.toSpliced(at, 0, file), at };
    }
    const before = 'before' in position;
    const item = this.#find(before ? position.before : position.after);
    if ('refused' in item) return item;
    const index = siblings.indexOf(item.file ?? '');
    if (index < 0) return refused(`${item.file ?? ''} is in another section: ${MOVE_FIRST}`);
    const at = index + (before ? 0 : 1);
    return { files: siblings.toSpliced(at, 0, file), at };
  }

  #find(reference: EntryReference): NavigationItem | { refused: string } {
    const found = this.#site.navigation.filter(item =>
      'file' in reference
        ? item.file === reference.file
        : same(item.title, reference.title) &&
          (reference.group ?? []).every(title => item.crumbs.some(crumb => same(crumb, title))),
    );
    const name = 'file' in reference ? reference.file : `“${reference.title}”`;
    const [first, second] = found;
    if (!first) return refused(`The navigation has no entry for ${name}.`);
    return second && !('file' in reference)
      ? refused(`Several entries are called ${name}. Name the file.`)
      : first;
  }

  #rename(reference: EntryReference, title: string): NavigationChange {
    const item = this.#find(reference);
    if ('refused' in item) return item;
    const file = item.file ?? '';
    const { frontMatter } = this.#source.outline(file);
    const member = frontMatter.linkTitle === undefined ? 'title' : 'linkTitle';
    const text = setMember(this.#source.read(file) ?? '', member, title);
    return text === undefined
      ? refused(`The front matter of ${file} cannot be edited.`)
      : { files: new Map([[file, text]]), done: [`Set \`${member}\` of ${file}.`], left: [] };
  }

  /** The old page’s address, and the addresses that led to it, become aliases of the new one. */
  #redirect(old: string, to: string, textFrom = to): NavigationChange {
    const page = this.#site.pages.find(one => one.file === old);
    if (!page || isExternal(to))
      return page
        ? {
            ...NO_CHANGE,
            left: [`Hugo has redirects to its own pages only: none from ${page.path}`],
          }
        : NO_CHANGE;
    const earlier = this.#site.redirects.filter(one => one.file === old && old !== textFrom);
    const aliases = [...earlier.map(one => one.from), page.path].map(path => `${path}/`);
    return this.#withAliases(textFrom, to, aliases);
  }

  #addAlias(from: string, to: string): NavigationChange {
    const page = this.#site.pages.find(one => one.file === to || one.path === to);
    if (!page) return refused(`A redirect in Hugo leads to a page of the site; ${to} is none.`);
    return this.#withAliases(page.file, page.file, [from]);
  }

  #withAliases(textFrom: string, file: string, aliases: readonly string[]): NavigationChange {
    let text = this.#source.read(textFrom);
    for (const alias of aliases)
      text = text === undefined ? undefined : addToList(text, 'aliases', alias);
    if (text === undefined)
      return { ...NO_CHANGE, left: [`${file}: add ${aliases.join(', ')} to \`aliases\``] };
    const done = [`Redirect from ${aliases.join(', ')} added as \`aliases\` in ${file}.`];
    return { files: new Map([[file, text]]), done, left: [] };
  }

  #weight(file: string): number {
    return Number(this.#source.outline(file).frontMatter.weight ?? 0) || 0;
  }

  #weightIn(texts: ReadonlyMap<string, string>, file: string): string {
    return /^\s*weight\s*[:=]\s*(\S+)/m.exec(texts.get(file) ?? '')?.[1] ?? '';
  }
}

const MOVE_FIRST =
  'the navigation follows the folders, so move the page into the folder of that section.';

/** The section whose list shows the page; a section page is in the list above it. */
function sectionOf(file: string): string {
  const folder = folderOf(file);
  return /^_?index\./.test(nameOf(file)) ? folderOf(folder) : folder;
}

/**
 * Weights that keep an order, with as few new ones as needed: 0 is none, and comes after all others.
 * Pages of one weight are sorted by title, and stay as they are before the place.
 */
function newWeights(weights: readonly number[], at: number): (number | undefined)[] {
  const result: (number | undefined)[] = weights.map(() => undefined);
  let last = 0;
  for (const [i, own] of weights.slice(0, at).entries()) {
    if (own === 0) result[i] = last += 10;
    else last = Math.max(last, own);
  }
  const next = weights.slice(at + 1).find(weight => weight !== 0);
  const room = next === undefined ? 10 : Math.floor((next - last) / 2);
  result[at] = last += Math.max(1, Math.min(10, room));
  for (const [i, own] of weights.entries()) {
    if (i <= at) continue;
    if (own === 0 || own > last) break;
    result[i] = last += 1;
  }
  return result;
}

function listed(): NavigationChange {
  const done = ['The navigation is made from the folders: the page needs no entry.'];
  return { ...NO_CHANGE, done };
}

function refused(reason: string): { refused: string } {
  return { refused: reason };
}
