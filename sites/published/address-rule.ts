import { below, withBase } from '../kinds/paths.ts';

/** How a file becomes an address, learned from a published site. */
export interface AddressRule {
  /** Folders of the repository and what their addresses begin with (''  is the top); longest first. */
  folders: [folder: string, address: string][];
  /** Numbers before names are left out: `01-install` is `install`. */
  numbers: boolean;
  lower: boolean;
  /** Spaces and underscores become dashes. */
  dashes: boolean;
  /** Names of files that stand for their folder. */
  index: string[];
  ending: '' | '/' | '.html';
  /** Members of the front matter that replace the name, or the address if they begin with `/`. */
  members: string[];
}

/** Members that say an address, in the order in which the first one counts. */
export const ADDRESS_MEMBERS = ['permalink', 'url', 'slug', 'id'];
/** Names that some generator takes for the folder's page. */
export const INDEX_NAMES = ['index', 'README', 'readme', '_index', 'page', 'home', 'intro'];

export type Members = Record<string, unknown>;

/** The address by a rule, with its ending; undefined if no folder of it contains the file. */
export function addressBy(rule: AddressRule, file: string, members: Members): string | undefined {
  for (const [folder, address] of rule.folders) {
    const rest = below(folder, file);
    if (rest === undefined) continue;
    const named = rule.members.map(name => members[name]).find(one => typeof one === 'string');
    if (typeof named === 'string' && named.startsWith('/')) return withBase(baseOf(rule), named);
    const names = namesOf(rule, rest);
    if (typeof named === 'string' && /^[^\s?#]+$/.test(named)) names.splice(-1, 1, named);
    const isFolder = typeof named !== 'string' && isIndex(rule, rest);
    if (isFolder) names.pop();
    // A folder of pages with endings has none.
    const ending = isFolder && rule.ending === '.html' ? '/' : rule.ending;
    return finished([...address.split('/'), ...names], ending);
  }
  return undefined;
}

function finished(segments: readonly string[], ending: AddressRule['ending']): string {
  const path = segments.filter(part => part !== '').join('/');
  if (path === '') return '/';
  return `/${path}${ending}`;
}

/** What every address begins with. */
function baseOf({ folders }: AddressRule): string {
  return folders.find(([folder]) => folder === '')?.[1] || '/';
}

/** The parts of a path as the address has them. `(group)` is a folder that no address names. */
export function namesOf(
  { numbers, lower, dashes }: Pick<AddressRule, 'numbers' | 'lower' | 'dashes'>,
  path: string,
): string[] {
  return path
    .replace(/\.\w+$/, '')
    .split('/')
    .filter(name => !/^\(.*\)$/.test(name))
    .map(name => {
      const plain = numbers ? name.replace(/^\d+[-_. ]+(?=.)/, '') : name;
      const dashed = dashes ? plain.replace(/[ _]+/g, '-').replace(/^-+/, '') : plain;
      return lower ? dashed.toLowerCase() : dashed;
    });
}

export function isIndex({ index }: Pick<AddressRule, 'index'>, path: string): boolean {
  return index.includes(path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, ''));
}

/** One sentence for people. */
export function describeRule(rule: AddressRule): string {
  const folders = rule.folders
    .slice(0, 3)
    .map(([folder, address]) => `${folder === '' ? 'the top' : `${folder}/`} is ${address || ''}/`);
  const more = [
    ...(rule.index.length > 0 ? [`${rule.index.join(' and ')} is its folder`] : []),
    ...(rule.numbers ? ['numbers before names are left out'] : []),
    ...(rule.lower ? ['letters are small'] : []),
    ...(rule.dashes ? ['spaces and underscores are dashes'] : []),
    ...(rule.members.length > 0
      ? [`${rule.members.join(' and ')} of the front matter counts`]
      : []),
    rule.ending === '' ? 'there is no ending' : `addresses end in ${rule.ending}`,
  ];
  return `Learned from the published site: ${[...folders, ...more].join(', ')}.`;
}
