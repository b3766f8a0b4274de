const MAX_MARKS = 4_000;
const MAX_LEVELS = 100;

/**
 * Why a text must not be given to the Markdown parser, or undefined where it may: its time grows with the square of
 * the marks in one paragraph (20,000 `![` take minutes, in which the whole process stands still). No page that
 * people wrote comes near these limits: each line of a table, each item of a list and each block of code counts alone.
 */
export function tooComplex(text: string): { line: number; message: string } | undefined {
  let marks = 0;
  let fence: string | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const [, opening] = /^[\s>]*(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}(?=[^`]*$)|~{3,})/.exec(line) ?? [];
    if (fence !== undefined) {
      if (opening?.startsWith(fence)) fence = undefined;
      continue;
    }
    fence = opening;
    if (/^\s*$|^\s*(?:\||#|[-*+]\s|\d+[.)]\s)/.test(line)) marks = 0;
    marks += line.match(/[[\]*_~]/g)?.length ?? 0;
    if (marks > MAX_MARKS) return { line: index + 1, message: `More than ${MAX_MARKS} brackets and emphasis marks in one paragraph: split it.` };
    const levels = /^(?:[ \t]{0,3}(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]))+/.exec(line)?.[0].match(/[>*+.)-]/g)?.length ?? 0;
    // An item lies in a list for every two characters before it, at most.
    const indent = /^[ \t]*(?=(?:[-*+]|\d{1,9}[.)])[ \t])/.exec(line)?.[0].length ?? 0;
    if (Math.max(levels, indent / 2) > MAX_LEVELS) return { line: index + 1, message: `More than ${MAX_LEVELS} levels of quotes and lists.` };
  }
  return undefined;
}
