import { RE2JS } from 're2js';
import { linearPattern } from './glob.ts';
import { folderOf, nameOf } from './kinds/paths.ts';

/** More lines than these are not read: each is tried on every path. */
const MOST_RULES = 500;

interface Rule {
  /** `!` before it: what it matches is kept. */
  keeps: boolean;
  /** `/` behind it: only folders match. */
  foldersOnly: boolean;
  matches(path: string): boolean;
}

/**
 * A test for paths by the lines of a `.gitignore`, as git reads it: what is in an ignored folder
 * stays ignored. The path of a folder ends with a slash. A match takes linear time, whatever a repository writes.
 */
export function gitIgnore(lines: string | readonly string[]): (path: string) => boolean {
  const rules = rulesOf(lines).toReversed();
  if (rules.length === 0) return () => false;
  const folders = new Map([['', false]]);
  const isIgnored = (path: string, isFolder: boolean): boolean => {
    const rule = rules.find(one => (isFolder || !one.foldersOnly) && one.matches(path));
    return rule !== undefined && !rule.keeps;
  };
  const inIgnored = (folder: string): boolean => {
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const found = inIgnored(folderOf(folder)) || isIgnored(folder, true);
    folders.set(folder, found);
    return found;
  };
  return path =>
    path.endsWith('/')
      ? inIgnored(path.slice(0, -1))
      : inIgnored(folderOf(path)) || isIgnored(path, false);
}

/**
 * The same lines as Python’s pathspec reads them, which MkDocs uses: a line that keeps a file wins
 * over one that leaves its folder out.
 */
export function pathSpec(lines: string | readonly string[]): (path: string) => boolean {
  const rules = rulesOf(lines);
  return path => {
    const above = foldersAbove(path);
    let isLeftOut = false;
    let byFile = false;
    for (const { keeps, foldersOnly, matches } of rules) {
      const isFile = !foldersOnly && matches(path);
      if (!isFile && !above.some(matches)) continue;
      if (!isFile && keeps && byFile) continue;
      isLeftOut = !keeps;
      byFile = isFile;
    }
    return isLeftOut;
  };
}

function foldersAbove(path: string): string[] {
  const folders: string[] = [];
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) folders.push(folder);
  return folders;
}

function rulesOf(lines: string | readonly string[]): Rule[] {
  return [lines]
    .flat()
    .flatMap(text => text.split(/\r?\n/))
    .filter(line => line.trim() !== '' && !line.startsWith('#'))
    .slice(0, MOST_RULES)
    .flatMap(line => ruleOf(line) ?? []);
}

function ruleOf(line: string): Rule | undefined {
  const keeps = line.startsWith('!');
  const written = line.slice(keeps ? 1 : 0).replace(/(?<!\\)[ \t]+$/, '');
  const foldersOnly = written.endsWith('/');
  const path = foldersOnly ? written.slice(0, -1) : written;
  const isRooted = path.includes('/');
  const glob = path.replace(/^\//, '');
  if (glob === '') return undefined;
  if (!/[*?[\\]/.test(glob)) {
    const matches = isRooted
      ? (one: string) => one === glob
      : (one: string) => nameOf(one) === glob;
    return { keeps, foldersOnly, matches };
  }
  const pattern = linearPattern(`${isRooted ? '' : '(?:.*/)?'}${sourceOf(glob)}`);
  return pattern && { keeps, foldersOnly, matches: one => pattern.matches(one) };
}

/** As a regular expression: a star stays within a folder, `**` crosses folders. */
function sourceOf(glob: string): string {
  let source = '';
  for (let i = 0; i < glob.length; i++) {
    const char = glob.charAt(i);
    const atStart = i === 0 || glob[i - 1] === '/';
    if (atStart && glob.startsWith('**/', i)) {
      source += '(?:.*/)?';
      i += 2;
    } else if (atStart && glob.slice(i) === '**') {
      source += '.+';
      i += 1;
    } else if (char === '*') source += '[^/]*';
    else if (char === '?') source += '[^/]';
    else if (char === '\\') source += RE2JS.quote(glob.charAt((i += 1)));
    else if (char === '[' && glob.indexOf(']', i + 2) !== -1) {
      const end = glob.indexOf(']', i + 2);
      const set = glob.slice(i + 1, end).replace(/^[!^]/, '');
      const isOther = /^[!^]/.test(glob.slice(i + 1, end));
      source += `[${isOther ? '^/' : ''}${set.replace(/[[&~^]/g, '\\$&')}]`;
      i = end;
    } else source += RE2JS.quote(char);
  }
  return source;
}
