import { RE2JS } from 're2js';

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

function globSource(glob: string): string {
  let source = '';
  let depth = 0;
  for (let i = 0; i < glob.length; i++) {
    const char = glob.charAt(i);
    if (glob.startsWith('**/', i)) {
      source += '(?:[^/]+/)*';
      i += 2;
    } else if (glob.startsWith('**', i)) {
      source += '.*';
      i += 1;
    } else if (char === '*') source += '[^/]*';
    else if (char === '?') source += '[^/]';
    else if (char === '{') {
      source += '(?:';
      depth += 1;
    } else if (char === '}' && depth > 0) {
      source += ')';
      depth -= 1;
    } else if (char === ',' && depth > 0) source += '|';
    else if (char === '[' && glob.indexOf(']', i + 2) !== -1) {
      const end = glob.indexOf(']', i + 2);
      source += `[${glob
        .slice(i + 1, end)
        .replace(/^!/, '^')
        .replace(/[\\[]/g, '\\$&')}]`;
      i = end;
    } else source += RE2JS.quote(char);
  }
  return source;
}

/**
 * A hidden file or folder somewhere in the path; lists and searches leave them out unless the glob
 * names them.
 */
export function isHidden(path: string): boolean {
  return /(?:^|\/)\./.test(path);
}
