import { RE2JS } from 're2js';

const MAX_LENGTH = 1000;
const MAX_PATTERNS = 200;

/**
 * A test for paths by the globs of a site's configuration: `*`, `**`, `?`, `[a-z]`, `{a,b}`,
 * `@(a|b)`, `+(a)`, and `!` at the start for everything else. One match is enough. Compiled to RE2:
 * whatever a repository writes, a match takes linear time. What cannot be compiled matches nothing.
 */
export function pathMatcher(
  globs: string | readonly string[],
  { dot = false }: { dot?: boolean } = {},
): (path: string) => boolean {
  const tests = [globs].flat().slice(0, MAX_PATTERNS).flatMap(testOf);
  return path => (dot || !/(?:^|\/)\./.test(path)) && tests.some(matches => matches(path));
}

function testOf(written: string): ((path: string) => boolean)[] {
  // Everything but a part of a path: a linear engine cannot tell.
  if (written.includes('!(')) return [];
  const glob = written.replace(/^!/, '').replace(/^\.\//, '');
  const pattern = linearPattern(globSource(glob));
  if (!pattern) return [];
  return [written.startsWith('!') ? path => !pattern.matches(path) : path => pattern.matches(path)];
}

/** A pattern of a repository, compiled to RE2; undefined if it is too long or not one. */
export function linearPattern(source: string): RE2JS | undefined {
  if (source.length > MAX_LENGTH * 4) return undefined;
  try {
    return RE2JS.compile(source);
  } catch {
    return undefined;
  }
}

/** A glob as a regular expression without anchors. */
export function globSource(glob: string): string {
  let source = '';
  const closing: string[] = [];
  for (let i = 0; i < glob.length; i++) {
    const char = glob.charAt(i);
    const open = /^[@+?*](?=\()/.test(glob.slice(i, i + 2));
    if (open) {
      source += '(?:';
      closing.push(char === '@' ? ')' : `)${char}`);
      i += 1;
    } else if (glob.startsWith('**/', i)) {
      source += '(?:[^/]+/)*';
      i += 2;
    } else if (glob.startsWith('**', i)) {
      source += '.*';
      i += 1;
    } else if (char === '*') source += '[^/]*';
    else if (char === '?') source += '[^/]';
    else if (char === '{') {
      source += '(?:';
      closing.push('}');
    } else if (closing.at(-1) === '}' && (char === '}' || char === ',')) {
      source += char === ',' ? '|' : ')';
      if (char === '}') closing.pop();
    } else if (closing.length > 0 && closing.at(-1) !== '}' && (char === ')' || char === '|'))
      source += char === '|' ? '|' : (closing.pop() ?? '');
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
