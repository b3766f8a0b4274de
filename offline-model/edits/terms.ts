/** The pattern of a term in all its forms, and what stands for a match. */
export interface TermRule {
  pattern: RegExp;
  replace(match: string, ...groups: unknown[]): string;
}

/** To the letter, at word boundaries. */
export function exactRule(from: string, to: string): TermRule {
  return { pattern: new RegExp(bounded(from), 'g'), replace: () => to };
}

/** To the letter, or with the capital that begins a sentence. */
export function sentenceRule(from: string, to: string): TermRule {
  const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
  if (from !== from.toLowerCase()) return exactRule(from, to);
  return {
    pattern: new RegExp(`${bounded(from)}|${bounded(capital(from))}`, 'g'),
    replace: match => (match === from ? to : capital(to)),
  };
}

/**
 * A word of the language in the forms that people write: capitalised, in capitals, singular and
 * plural; the article before it follows. A term with capitals of its own is a name and keeps its
 * letters.
 */
export function termRule(from: string, to: string): TermRule {
  if (from !== from.toLowerCase()) return exactRule(from, to);
  const forms = new Map([[from, to]]);
  for (const [one, other] of pairs(from, to)) if (!forms.has(one)) forms.set(one, other);
  const alternatives = [...forms.keys()]
    .sort((a, b) => b.length - a.length)
    .map(escape)
    .join('|');
  return {
    pattern: new RegExp(String.raw`(?:\b(an?)(\s+))?(?<![\w-])(${alternatives})(?![\w]|-\w)`, 'gi'),
    replace(_, article, space, match) {
      const target = likeCase(match as string, forms.get((match as string).toLowerCase()) ?? to);
      if (typeof article !== 'string') return target;
      return `${likeCase(article, /^[aeiou]/i.test(target) ? 'an' : 'a')}${space as string}${target}`;
    },
  };
}

/** Singular and plural of both sides, where both can be told. */
function pairs(from: string, to: string): [string, string][] {
  const singular = [singularOf(from), singularOf(to)];
  if (singular[0] && singular[1]) return [[singular[0], singular[1]]];
  return singular[0] || singular[1] || !/^[a-z -]+$/.test(from)
    ? []
    : [[pluralOf(from), pluralOf(to)]];
}

function singularOf(word: string): string | null {
  if (/[^aeiou]ies$/i.test(word)) return word.replace(/ies$/i, 'y');
  if (/(?:ss|x|ch|sh)es$/i.test(word)) return word.slice(0, -2);
  return /[^s]s$/i.test(word) && !/(?:us|is)$/i.test(word) ? word.slice(0, -1) : null;
}

function pluralOf(word: string): string {
  if (/[^aeiou]y$/i.test(word)) return word.replace(/y$/i, 'ies');
  return /(?:s|x|ch|sh)$/i.test(word) ? `${word}es` : `${word}s`;
}

function likeCase(match: string, target: string): string {
  if (match.length > 1 && match === match.toUpperCase() && match !== match.toLowerCase())
    return target.toUpperCase();
  const words = match.split(' ');
  if (words.length > 1 && words.every(word => /^[A-Z]/.test(word)))
    return target.replace(/\b[a-z]/g, letter => letter.toUpperCase());
  return /^[A-Z]/.test(match) ? target.charAt(0).toUpperCase() + target.slice(1) : target;
}

function bounded(text: string): string {
  return `${/^\w/.test(text) ? '(?<!\\w)' : ''}${escape(text)}${/\w$/.test(text) ? '(?!\\w)' : ''}`;
}

export function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
