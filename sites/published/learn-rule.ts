import {
  ADDRESS_MEMBERS,
  addressBy,
  type AddressRule,
  INDEX_NAMES,
  isIndex,
  type Members,
  namesOf,
} from './address-rule.ts';
import { addressKey } from './seen-page.ts';

export interface LearnedRule {
  rule: AddressRule;
  /** Of the files that it was not learned from, the share whose address exists. */
  score: number;
}

type Form = Pick<AddressRule, 'numbers' | 'lower' | 'dashes'>;

const FORMS: readonly Form[] = [0, 1, 2, 3, 4, 5, 6, 7].map(bits => ({
  numbers: (bits & 1) > 0,
  lower: (bits & 2) > 0,
  dashes: (bits & 4) > 0,
}));
/** Addresses that end in the same name: more of them tell nothing apart. */
const MOST_ALIKE = 60;
const LEAST_PAIRS = 2;
/** Of fewer files, each is tested on a rule that is learned from four fifths of the others. */
const FEW = 200;
const SMALL_PARTS = 5;
const MOST_FOLDERS = 200;

/**
 * The rule from file to address that explains the addresses best: learned from a part of the files,
 * and tested on the rest. Undefined if nothing is alike.
 */
export function learnRule(
  files: readonly string[],
  addresses: readonly string[],
  membersOf: (file: string) => Members,
): LearnedRule | undefined {
  const seen = seenBy(addresses);
  const parts = files.length < FEW ? SMALL_PARTS : 2;
  const tests = files.length < FEW ? [...Array(parts).keys()] : [1];
  let best: { form: Form; score: number } | undefined;
  for (const form of FORMS) {
    let [right, possible] = [0, 0];
    for (const part of tests) {
      const rule = ruleOf(
        files.filter((_, i) => i % parts !== part),
        seen,
        form,
        membersOf,
      );
      const tested = files.filter((_, i) => i % parts === part);
      // Files that are not pages say nothing against a rule that explains every address.
      possible += Math.min(tested.length, Math.ceil(seen.keys.size / parts));
      if (rule) right += countOf(rule, tested, seen, membersOf);
    }
    right = possible === 0 ? 0 : Math.min(1, right / possible);
    if (!best || right > best.score + 1e-9) best = { form, score: right };
  }
  const whole = best && ruleOf(files, seen, best.form, membersOf);
  return best && whole && { rule: whole, score: best.score };
}

interface Seen {
  keys: ReadonlySet<string>;
  /** By last name: the names of each address. */
  byName: ReadonlyMap<string, string[][]>;
  endings: readonly string[];
}

function seenBy(addresses: readonly string[]): Seen {
  const byName = new Map<string, string[][]>();
  for (const address of addresses) {
    const names = addressKey(address)
      .replace(/\.html?$/, '')
      .split('/')
      .slice(1);
    const name = names.at(-1) ?? '';
    const alike = byName.get(name) ?? [];
    byName.set(name, alike);
    if (alike.length <= MOST_ALIKE) alike.push(names);
  }
  return { keys: new Set(addresses.map(addressKey)), byName, endings: addresses };
}

function ruleOf(
  files: readonly string[],
  seen: Seen,
  form: Form,
  membersOf: (file: string) => Members,
): AddressRule | undefined {
  const votes = new Map<string, Map<string, number>>();
  const index = new Map<string, number>();
  for (const file of files) {
    const pair = pairOf(file, seen, form);
    if (!pair) continue;
    const counts = votes.get(pair.folder) ?? new Map<string, number>();
    votes.set(pair.folder, counts.set(pair.address, (counts.get(pair.address) ?? 0) + 1));
    if (pair.index !== null) index.set(pair.index, (index.get(pair.index) ?? 0) + 1);
  }
  const least = files.length < 8 ? 1 : LEAST_PAIRS;
  const folders = [...votes]
    .map(([folder, counts]) => [folder, ...mostOf(counts)] as const)
    .filter(([, , count]) => count >= least)
    .toSorted(([a], [b]) => b.length - a.length || (a < b ? -1 : 1))
    .slice(0, MOST_FOLDERS)
    .map(([folder, address]): [string, string] => [folder, address]);
  if (folders.length === 0) return undefined;
  const rule = { ...form, folders, index: [...index.keys()], ending: endingOf(seen), members: [] };
  return withMembers(withIndex(rule, files, seen, membersOf), files, seen, membersOf);
}

/** What a file and the one address that is most like it share at their ends. */
function pairOf(file: string, seen: Seen, form: Form) {
  const path = file.split('/');
  const whole = namesOf(form, file);
  const name = INDEX_NAMES.find(one => isIndex({ index: [one] }, file));
  const own = bestOf(whole, seen);
  const asFolder = name === undefined ? undefined : bestOf(whole.slice(0, -1), seen);
  const isFolder = asFolder !== undefined && (!own || asFolder.shared >= own.shared);
  const found = isFolder ? asFolder : own;
  if (!found) return undefined;
  const shared = found.shared + (isFolder ? 1 : 0);
  return {
    folder: firstNames(path, whole.length - shared),
    address: found.names
      .slice(0, found.names.length - found.shared)
      .map(one => `/${one}`)
      .join(''),
    index: isFolder && name !== undefined ? name : null,
  };
}

function bestOf(names: readonly string[], { byName }: Seen) {
  const alike = byName.get(names.at(-1) ?? '') ?? [];
  if (names.length === 0 || alike.length > MOST_ALIKE) return undefined;
  let best: { names: string[]; shared: number } | undefined;
  let ties = 0;
  for (const other of alike) {
    let shared = 0;
    while (shared < names.length && shared < other.length)
      if (names.at(-1 - shared) === other.at(-1 - shared)) shared += 1;
      else break;
    // Of translations, the default language is the one without a folder.
    const isBetter = shared - other.length / 100;
    const bestYet = best ? best.shared - best.names.length / 100 : -Infinity;
    if (isBetter > bestYet) [best, ties] = [{ names: other, shared }, 1];
    else if (isBetter === bestYet) ties += 1;
  }
  return ties === 1 ? best : undefined;
}

/** The first parts of a path that have so many names, folders in parentheses left out. */
function firstNames(path: readonly string[], count: number): string {
  let left = count;
  const end = path.findIndex(part => !/^\(.*\)$/.test(part) && (left -= 1) < 0);
  return path.slice(0, end < 0 ? path.length : end).join('/');
}

/** Names stand for their folder if more files are right then. */
function withIndex(
  rule: AddressRule,
  files: readonly string[],
  seen: Seen,
  membersOf: (file: string) => Members,
): AddressRule {
  const index = INDEX_NAMES.filter(name => {
    const named = files.filter(file => isIndex({ index: [name] }, file));
    const as = (names: string[]) => countOf({ ...rule, index: names }, named, seen, membersOf);
    return named.length > 0 && as([name]) > as([]);
  });
  return { ...rule, index };
}

function withMembers(
  rule: AddressRule,
  files: readonly string[],
  seen: Seen,
  membersOf: (file: string) => Members,
): AddressRule {
  const members = ADDRESS_MEMBERS.filter(name => {
    const named = files.filter(file => typeof membersOf(file)[name] === 'string');
    const by = (names: string[]) => countOf({ ...rule, members: names }, named, seen, membersOf);
    return named.length > 0 && by([name]) > by([]);
  });
  return { ...rule, members };
}

/** Addresses that the rule finds, each counted once. */
function countOf(
  rule: AddressRule,
  files: readonly string[],
  { keys }: Seen,
  membersOf: (file: string) => Members,
): number {
  const found = new Set<string>();
  for (const file of files) {
    const address = addressBy(rule, file, membersOf(file));
    if (address !== undefined && keys.has(addressKey(address))) found.add(addressKey(address));
  }
  return found.size;
}

function endingOf({ endings }: Seen): AddressRule['ending'] {
  const counts = new Map<AddressRule['ending'], number>();
  for (const address of endings) {
    if (address === '/') continue;
    const ending = /\.html$/.test(address) ? '.html' : address.endsWith('/') ? '/' : '';
    counts.set(ending, (counts.get(ending) ?? 0) + 1);
  }
  return mostOf(counts)[0] ?? '';
}

function mostOf<T>(counts: ReadonlyMap<T, number>): [T, number] {
  return [...counts].toSorted(([, a], [, b]) => b - a)[0] as [T, number];
}
