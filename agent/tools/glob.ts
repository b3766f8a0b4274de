import { RE2JS } from 're2js';
import { globSource } from '../../sites/glob.ts';

/**
 * A test for paths by glob: `*`, `**`, `?`, `[a-z]`, `{a,b}`. The pattern may be written from the
 * repository's root or from the docs folder; one without a slash matches names in any folder.
 * Compiled to RE2, so that no pattern takes long. Throws on an invalid pattern.
 */
export function globFilter(glob: string, docsFolder: string): (path: string) => boolean {
  const clean = glob.replace(/^\.?\//, '');
  const pattern = RE2JS.compile(globSource(clean.includes('/') ? clean : `**/${clean}`));
  const prefix = docsFolder === '' ? '' : `${docsFolder}/`;
  return path =>
    pattern.matches(path) ||
    (prefix !== '' && path.startsWith(prefix) && pattern.matches(path.slice(prefix.length)));
}

/**
 * A hidden file or folder somewhere in the path; lists and searches leave them out unless the glob
 * names them.
 */
export function isHidden(path: string): boolean {
  return /(?:^|\/)\./.test(path);
}
