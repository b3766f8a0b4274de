/** The longest marker with the space before it: ` [123, 124, 125]`. */
const LONGEST = 24;
/** A number, or several; `^` and `†` as some models write them. */
const MARKER = /[ \t]?(?:\[\^?\d{1,3}(?:\s*,\s*\d{1,3})*\]|【\d{1,3}(?:†[^】\n]{0,12})?】)/g;
/** What a marker may begin with, at the end of what has come in so far. */
const BEGUN = /[ \t]?(?:\[\^?[\d\s,]*|【[^】\n]*)$|[ \t]$/;
/** A fence at the start of a line, a run of backticks, or an empty line, which ends inline code. */
const TICKS = /^ {0,3}(`{3,}|~{3,})|`+|\n[ \t]*\n/gm;

/**
 * Reads `[n]` out of the text of a model that cites by number, as it comes in. The markers are
 * taken out of the text, so that readers get the same whatever the endpoint can do. In code they
 * are text, and so is a link.
 */
export class NumberedCitations {
  readonly #cite: (number: number) => void;
  #held = '';
  /** What opened the code in which the text is. */
  #code: { ticks: string; isFence: boolean } | undefined;
  /** What came before the text that is looked at; the beginning counts as the end of a line. */
  #before = '\n';

  constructor(cite: (number: number) => void) {
    this.#cite = cite;
  }

  /** The text of this piece that can be shown; the rest waits for the next one. */
  read(piece: string): string {
    return this.#take(this.#held + piece, false);
  }

  /** What was still waiting, at the end of the text. */
  end(): string {
    return this.#take(this.#held, true);
  }

  #take(text: string, isLast: boolean): string {
    const end = isLast ? text.length : settledLength(text);
    this.#held = text.slice(end);
    let shown = '';
    for (const { part, isCode } of this.#split(text.slice(0, end))) {
      shown += isCode ? part : this.#withoutMarkers(part);
      this.#before = part.at(-1) ?? this.#before;
    }
    return shown;
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

  #withoutMarkers(prose: string): string {
    return prose.replace(MARKER, (marker, at: number) => {
      const after = prose[at + marker.length] ?? this.#held[0];
      const isDefinition = after === ':' && (prose[at - 1] ?? this.#before) === '\n';
      if (after === '(' || isDefinition) return marker;
      for (const [number] of marker.matchAll(/\d+/g)) this.#cite(Number(number));
      return '';
    });
  }
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

/** How much of the text can be judged: a marker, or the ticks of code, may still be growing. */
function settledLength(text: string): number {
  const ticks = /[ \t]{0,3}[`~]+$|(?:\n[ \t]*)+$/.exec(text);
  if (ticks) return ticks.index;
  const begun = BEGUN.exec(text);
  if (begun && text.length - begun.index <= LONGEST) return begun.index;
  // What follows a whole marker decides whether it is one.
  const last = [...text.matchAll(MARKER)].at(-1);
  return last && last.index + last[0].length === text.length ? last.index : text.length;
}
