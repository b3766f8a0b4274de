export interface FileDiff {
  path: string;
  /** Its earlier path, where it was moved. */
  from: string | undefined;
  change: 'added' | 'deleted' | 'moved' | 'changed';
  binary: boolean;
  additions: number;
  deletions: number;
  /** The hunks, with git's first character on each line (`@`, `+`, `-`, space, backslash). */
  lines: string[];
}

/** Splits what `git diff` prints into files. */
export function parseDiff(text: string): FileDiff[] {
  const files: FileDiff[] = [];
  let inHunk = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('diff --git ')) {
      // Both paths are equal but for moves, and those are named again below.
      const half = line.slice('diff --git '.length, (line.length + 'diff --git '.length - 1) / 2);
      files.push({
        path: plainName(half).slice('a/'.length),
        from: undefined,
        change: 'changed',
        binary: false,
        additions: 0,
        deletions: 0,
        lines: [],
      });
      inHunk = false;
      continue;
    }
    const file = files.at(-1);
    if (!file) continue;
    if (line.startsWith('@@')) inHunk = true;
    if (inHunk) addLine(file, line);
    else readHeader(file, line);
  }
  return files;
}

function addLine(file: FileDiff, line: string): void {
  if (line === '') return; // after the last line; an empty line of context is a space
  if (line.startsWith('+')) file.additions += 1;
  if (line.startsWith('-')) file.deletions += 1;
  file.lines.push(line);
}

function readHeader(file: FileDiff, line: string): void {
  if (line.startsWith('new file')) file.change = 'added';
  else if (line.startsWith('deleted file')) file.change = 'deleted';
  else if (line.startsWith('Binary files')) file.binary = true;
  else if (line.startsWith('rename from '))
    Object.assign(file, { change: 'moved', from: plainName(line.slice('rename from '.length)) });
  else if (line.startsWith('rename to ')) file.path = plainName(line.slice('rename to '.length));
}

const ESCAPES: Record<string, string> = {
  a: '\x07',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
};

/** Git quotes a name with quotes, backslashes or control characters, as C does. */
function plainName(name: string): string {
  if (!name.startsWith('"')) return name;
  return name
    .slice(1, -1)
    .replace(/\\(?:([0-7]{3})|(.))/g, (_, octal: string | undefined, character: string) =>
      octal === undefined
        ? (ESCAPES[character] ?? character)
        : String.fromCharCode(parseInt(octal, 8)),
    );
}
