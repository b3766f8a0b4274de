/**
 * The 1-based line on which a text names something, behind the first match of `heading`; null if
 * none does. Comments behind `#` are passed over, and longer names that contain this one.
 */
export function lineNaming(text: string, name: string, heading: RegExp): number | null {
  const from = text.search(heading);
  if (from < 0 || name === '') return null;
  for (let at = text.indexOf(name, from); at >= 0; at = text.indexOf(name, at + 1)) {
    const isWhole =
      !/[\w./-]/.test(text.charAt(at - 1)) && !/[\w./-]/.test(text.charAt(at + name.length));
    const line = text.lastIndexOf('\n', at - 1) + 1;
    const isComment = text.slice(line, at).trimStart().startsWith('#');
    if (isWhole && !isComment) return text.slice(0, line).split('\n').length;
  }
  return null;
}

/** The first file of several that names something, with the line. */
export function placeNaming(
  read: (file: string) => string | undefined,
  files: readonly string[],
  name: string,
  heading: RegExp,
): { file: string; line: number } | undefined {
  for (const file of files) {
    const line = lineNaming(read(file) ?? '', name, heading);
    if (line !== null) return { file, line };
  }
  return undefined;
}
