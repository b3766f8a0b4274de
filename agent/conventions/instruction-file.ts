/** Conventions of a repository: lines of AGENTS.md that its reviewers asked for. */

/** Characters of one line. */
export const MAX_CONVENTION = 300;

/**
 * The file that a convention is added to: AGENTS.md of the docs folder if there is one, else of the
 * repository's root, whether it exists or not.
 */
export function instructionFile(has: (path: string) => boolean, docsFolder: string): string {
  const inDocs = docsFolder === '' ? 'AGENTS.md' : `${docsFolder}/AGENTS.md`;
  return has(inDocs) ? inDocs : 'AGENTS.md';
}

/** What is added to a file that has `text`, which is undefined where there is none. */
export function addedText(text: string | undefined, line: string): string {
  if (text === undefined) return `# Conventions\n\n- ${line}\n`;
  // Beside the items of a list; a paragraph before it ends with an empty line.
  const last = text.trimEnd().split('\n').at(-1) ?? '';
  const isListed = /^\s*[-*+] /.test(last) && !/\n\s*\n$/.test(text);
  return `${isListed || text.trim() === '' || /\n\r?\n$/.test(text) ? '' : '\n'}- ${line}\n`;
}

/** The whole file with the convention at its end. */
export function withConvention(text: string | undefined, line: string): string {
  const end = text?.includes('\r\n') ? '\r\n' : '\n';
  const added = addedText(text, line).replaceAll('\n', end);
  if (text === undefined || text === '' || text.endsWith('\n')) return (text ?? '') + added;
  return text + end + added;
}

/** Whether a line of the file says just that already. */
export function hasConvention(text: string, line: string): boolean {
  return text
    .split(/\r?\n/)
    .some(one => one.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '').trim() === line);
}
