/** The longest marker with the space before it: ` [123, 124, 125]`. */
const LONGEST_MARKER = 24;
/** The longest link or address that is read as one, and the most that ever waits. */
const LONGEST_LINK = 600;
/** How much is judged at once: what the expressions below take grows with its square. */
const MAX_JUDGED = 1_000;
/** A number, or several, or a range; `^` and `†` as some models write them. */
const MARKER = /[ \t]?(?:\[\^?\d{1,3}(?:\s*[,–-]\s*\d{1,3})*\]|【\d{1,3}(?:†[^】\n]{0,12})?】)/;
/** May have brackets in pairs, as a target may have parentheses. */
const LABEL = /(?:[^[\]\n]|\[[^[\]\n]*\])*/;
const TARGET = /<?[^\s<>()]*(?:\([^\s()]*\)[^\s()<>]*)*>?/;
const LINK = new RegExp(
  `!?\\[${LABEL.source}\\]\\(\\s*${TARGET.source}(?:\\s+["'][^"'\\n]*["'])?\\s*\\)`,
);
const ADDRESS = /<https?:\/\/[^\s<>]+>|https?:\/\/[^\s<>"'`)\]]+/;
const ANY = new RegExp(`(${LINK.source})|(${ADDRESS.source})|(${MARKER.source})`, 'gi');
/** What one of them may begin with, at the end of what has come in so far. */
const BEGUN_MARKER = /[ \t]?(?:\[\^?[\d\s,–-]*|【[^】\n]*)$|[ \t]$/;
const BEGUN_TARGET = /\([^)\n]*(?:\([^)\n]*\)[^)\n]*)*/;
const BEGUN_ADDRESS = /(?:<|\b)h(?:t(?:t(?:ps?(?::(?:\/(?:\/\S*)?)?)?)?)?)?$|<$/;
const BEGUN_LINK = new RegExp(
  `!?\\[${LABEL.source}(?:\\[[^[\\]\\n]*)?(?:\\](?:${BEGUN_TARGET.source})?)?$|!$|${BEGUN_ADDRESS.source}`,
  'i',
);
/** A fence at the start of a line, a run of backticks, or an empty line, which ends inline code. */
const TICKS = /^ {0,3}(`{3,}|~{3,})|`+|\n[ \t]*\n/gm;

/** A link as the model wrote it: `text` is what stands in its place if it may not stay. */
export interface WrittenLink {
  written: string;
  target: string;
  text: string;
}

/**
 * Reads what is not plain text out of an answer, as it comes in. `[n]`, by which a model without
 * citations of its own cites, is taken out, so that readers get the same whatever the endpoint can
 * do. Links and addresses are handed on to be judged. In code all of it is text.
 */
export class Prose {
  readonly #cite: ((number: number) => void) | undefined;
  #held = '';
  /** What opened the code in which the text is. */
  #code: { ticks: string; isFence: boolean } | undefined;
  /** What came before the text that is looked at; the beginning counts as the end of a line. */
  #before = '\n';

  /** Without `cite`, markers are text. */
  constructor(cite?: (number: number) => void) {
    this.#cite = cite;
  }

  /** The text of this piece that can be shown; the rest waits for the next one. */
  read(piece: string): (string | WrittenLink)[] {
    const shown: (string | WrittenLink)[] = [];
    for (let at = 0; at < piece.length; at += MAX_JUDGED)
      shown.push(...this.#take(this.#held + piece.slice(at, at + MAX_JUDGED), false));
    return shown;
  }

  /** What was still waiting, at the end of the text. */
  end(): (string | WrittenLink)[] {
    return this.#take(this.#held, true);
  }

  #take(text: string, isLast: boolean): (string | WrittenLink)[] {
    const end = isLast ? text.length : settledLength(text);
    this.#held = text.slice(end);
    return this.#split(text.slice(0, end)).flatMap(({ part, isCode }) => {
      const shown = isCode ? [part] : this.#shown(part);
      this.#before = part.at(-1) ?? this.#before;
      return shown.filter(each => each !== '');
    });
  }

  /** Code and prose, in order. */
  #split(text: string): { part: string; isCode: boolean }[] {
    const parts: { part: string; isCode: boolean }[] = [];
    let from = 0;
    for (const match of text.matchAll(TICKS)) {
      const isFence = match[1] !== undefined && (match.index > 0 || this.#before === '\n');
      const ticks = match[1] ?? match[0];
      const code = this.#code;
      if (code ? !closes(ticks, isFence, code) : ticks.startsWith('\n')) continue;
      const to = code ? match.index + match[0].length : match.index;
      parts.push({ part: text.slice(from, to), isCode: code !== undefined });
      from = to;
      this.#code = code ? undefined : { ticks, isFence };
    }
    parts.push({ part: text.slice(from), isCode: this.#code !== undefined });
    return parts;
  }

  #shown(prose: string): (string | WrittenLink)[] {
    const shown: (string | WrittenLink)[] = [];
    let from = 0;
    for (const match of prose.matchAll(ANY)) {
      const [written, link, address] = match;
      if (link === undefined && address === undefined && !this.#isCitation(prose, match)) continue;
      shown.push(prose.slice(from, match.index));
      from = match.index + written.length;
      if (link !== undefined) shown.push(linkOf(link));
      else if (address !== undefined) {
        const { target, after } = addressOf(address);
        shown.push(
          {
            written: address.slice(0, address.length - after.length),
            target,
            text: `\`${target}\``,
          },
          after,
        );
      } else for (const number of numbersOf(written)) this.#cite?.(number);
    }
    return [...shown, prose.slice(from)];
  }

  #isCitation(prose: string, { 0: marker, index }: RegExpMatchArray): boolean {
    const at = index ?? 0;
    const after = prose[at + marker.length] ?? this.#held[0];
    const isDefinition = after === ':' && (prose[at - 1] ?? this.#before) === '\n';
    return this.#cite !== undefined && after !== '(' && !isDefinition;
  }
}

function linkOf(written: string): WrittenLink {
  const opens = written.indexOf('[');
  const ends = written.lastIndexOf('](');
  const target = /^\s*<?([^\s<>]*)/.exec(written.slice(ends + 2, -1))?.[1] ?? '';
  return { written, target, text: written.slice(opens + 1, ends) };
}

/** Punctuation at the end of an address is the sentence's. */
function addressOf(written: string): { target: string; after: string } {
  if (written.startsWith('<')) return { target: written.slice(1, -1), after: '' };
  const after = /[.,;:!?*_~]+$/.exec(written)?.[0] ?? '';
  return { target: written.slice(0, written.length - after.length), after };
}

/** `[1-3]` is 1, 2 and 3; a range that is longer than any answer's passages is its two ends. */
function numbersOf(marker: string): number[] {
  return [...marker.matchAll(/(\d+)(?:\s*[–-]\s*(\d+))?/g)].flatMap(([, first, last]) => {
    const [from, to] = [Number(first), Number(last ?? first)];
    const many = to - from;
    return many >= 0 && many <= 20
      ? Array.from({ length: many + 1 }, (_, i) => from + i)
      : [from, to];
  });
}

/** A fence is closed by one of its kind that is at least as long, inline code by as many ticks. */
function closes(
  ticks: string,
  isFence: boolean,
  code: { ticks: string; isFence: boolean },
): boolean {
  if (!code.isFence) return ticks === code.ticks || ticks.startsWith('\n');
  return isFence && ticks[0] === code.ticks[0] && ticks.length >= code.ticks.length;
}

/** How much of the text can be judged: a marker, a link, or the ticks of code may still grow. */
function settledLength(text: string): number {
  const ticks = /[ \t]{0,3}[`~]+$|(?:\n[ \t]*)+$/.exec(text);
  if (ticks && text.length - ticks.index <= LONGEST_LINK) return ticks.index;
  const all = [...text.matchAll(ANY)];
  // An address may be that of a link that still grows.
  const whole = all.findLast(([, , address]) => address === undefined);
  const from = whole ? whole.index + whole[0].length : 0;
  const rest = text.slice(from);
  const begun = [
    [BEGUN_MARKER, LONGEST_MARKER],
    [BEGUN_LINK, LONGEST_LINK],
  ] as const;
  const starts = begun.flatMap(([begins, longest]) => {
    const at = begins.exec(rest)?.index ?? rest.length;
    return rest.length - at <= longest ? [from + at] : [];
  });
  // What follows a marker or an address decides whether it is one.
  const last = all.at(-1);
  const isOpen = last && last[1] === undefined && last.index + last[0].length === text.length;
  if (isOpen && last[0].length <= LONGEST_LINK) starts.push(last.index);
  return Math.min(text.length, ...starts);
}
