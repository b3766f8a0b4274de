/**
 * A text of the docs as a terminal or a log may show it. An address can have any character in it:
 * one that moves the cursor, hides text or begins a line, which GitHub Actions may obey.
 */
export function shown(text: string): string {
  // GitHub Actions obeys its older form of a command anywhere in a line.
  return text.replace(/[\p{Cc}\p{Bidi_C}\u2028\u2029]/gu, '\ufffd').replaceAll('##[', '##\ufffd[');
}
