import { below } from '../kinds/paths.ts';
import type { SitePage, SiteSource } from '../kinds/site-kind.ts';
import { addressBy, type AddressRule } from './address-rule.ts';
import { addressKey, looseKey, type PlacedPage, titleKey } from './seen-page.ts';
import { membersOf } from './with-addresses.ts';

/** A page that may be one of those that were seen. */
export interface Candidate {
  page: SitePage;
  isOther: boolean;
  url: string;
  title: string | null;
}

/** Which file has which seen address: each has one. */
export class Claims {
  readonly byFile = new Map<string, PlacedPage>();
  readonly right = new Set<string>();
  readonly #free: Map<string, PlacedPage>;
  readonly #loose = new Map<string, PlacedPage>();

  constructor(all: readonly PlacedPage[]) {
    this.#free = new Map(all.map(page => [addressKey(page.path), page]));
    for (const page of all) this.#loose.set(looseKey(page.path), page);
  }

  get free(): PlacedPage[] {
    return [...this.#free.values()];
  }

  exact({ page, url }: Candidate): boolean {
    const isThere = this.#claim(page.file, this.#free.get(addressKey(url)));
    if (isThere) this.right.add(page.file);
    return isThere;
  }

  loose({ page, url }: Candidate): boolean {
    return url !== '' && this.#claim(page.file, this.#loose.get(looseKey(url)));
  }

  /** The others. Of files with one address, the one whose folder explains most addresses has it. */
  byRule(
    candidates: readonly Candidate[],
    rule: AddressRule,
    source: SiteSource,
    isOurs = false,
  ): Candidate[] {
    const found = candidates.flatMap(one => {
      const { file } = one.page;
      const url = addressBy(rule, file, membersOf(source, file));
      const key = url === undefined ? '' : addressKey(url);
      if (!this.#free.has(key)) return [];
      const folder = rule.folders.find(([each]) => below(each, file) !== undefined)?.[0] ?? '';
      return [{ one, key, folder }];
    });
    const support = new Map<string, number>();
    for (const { folder } of found) support.set(folder, (support.get(folder) ?? 0) + 1);
    const ordered = found.toSorted((a, b) => support.get(b.folder)! - support.get(a.folder)!);
    const claimed = new Set<Candidate>();
    for (const { one, key } of ordered)
      if (this.#claim(one.page.file, this.#free.get(key))) claimed.add(one);
    if (isOurs) for (const { page } of claimed) this.right.add(page.file);
    return candidates.filter(one => !claimed.has(one));
  }

  /** Only titles that one file and one address have. */
  byTitle(candidates: readonly Candidate[]): void {
    const files = once(candidates, ({ title }) => title);
    const pages = once(this.free, ({ title }) => title);
    for (const [title, { page }] of files) this.#claim(page.file, pages.get(title));
  }

  #claim(file: string, seen: PlacedPage | undefined): boolean {
    if (!seen || !this.#free.delete(addressKey(seen.path))) return false;
    this.byFile.set(file, seen);
    return true;
  }
}

function once<T>(items: readonly T[], titleOf: (item: T) => string | null): Map<string, T> {
  const found = new Map<string, T | null>();
  for (const item of items) {
    const title = titleKey(titleOf(item) ?? '');
    if (title !== '') found.set(title, found.has(title) ? null : item);
  }
  return new Map([...found].filter((entry): entry is [string, T] => entry[1] !== null));
}
