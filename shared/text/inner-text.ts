/** What models and servers write around thoughts and tool calls, and single control tokens. */
const TOKEN =
  /<\/?(?:think|thinking|thought|reasoning|reflection|tool_calls?|function_calls?|tool_response)>|<\|[a-z_]{1,30}\|>|\[TOOL_CALLS\]/gi;
/** What a token may begin with, at the end of what has come in so far. */
const BEGUN = /(?:<\/?[a-z_]{0,16}|<\|[a-z_]{0,30}\|?|\[[A-Z_]{0,11})$/i;
/** How much of an answer waits until it is known how its model begins. */
const MAX_HELD = 1_000;
/** Fences are not indented deeper than that. */
const MAX_LINE = 40;

/** What a whole text says to others. */
export function withoutInnerText(text: string): string {
  const inner = new InnerText('all');
  return (inner.read(text) + inner.end()).trim();
}

const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g;
const CALL = /<(?:tool_calls?|function_calls?)>|\[TOOL_CALLS\]|<\|tool_calls?[a-z_]*\|>/i;
const BARE_CALL =
  /^\s*\{\s*"(?:type|name)"\s*:[\s\S]*"(?:arguments|parameters|input)"\s*:[\s\S]*\}\s*$/;

/** Whether a model has written a tool call as text, which runs nothing. */
export function hasWrittenCall(text: string): boolean {
  return CALL.test(text.replace(CODE, '')) || BARE_CALL.test(text);
}

/**
 * Takes out of an answer, as it comes in, what a model says to itself: servers that do not separate
 * it leave it in the text. In code such words are text. Some templates open the thoughts in the
 * prompt, so that the answer has only their end, and all before it goes: the beginning of an answer
 * waits (`holds`) if its model may do that.
 */
export class InnerText {
  /** A tag of thoughts has come. */
  sawThoughts = false;
  /** One that ends them has come without the one that begins them. */
  sawLoneEnd = false;
  #pending = '';
  /** `header`: between the tokens that begin a message, which name its channel. */
  #mode: 'text' | 'header' | 'hidden' = 'text';
  /** The token that ends what is hidden; '' for the end of the answer. */
  #close = '';
  #channel: string | undefined;
  /** What waits; undefined once nothing has to. */
  #held: string | undefined;
  readonly #maxHeld: number;
  #hasShown = false;
  #fences = 0;
  /** The beginning of the line, as much as tells a fence, and how many backticks are in it. */
  #line = '';
  #ticks = 0;

  constructor(holds: 'nothing' | 'beginning' | 'all') {
    this.#held = holds === 'nothing' ? undefined : '';
    this.#maxHeld = holds === 'all' ? Infinity : MAX_HELD;
  }

  /** The text of this piece that can be shown; the rest waits for the next one. */
  read(piece: string): string {
    const text = this.#pending + piece;
    const begun = BEGUN.exec(text)?.index ?? text.length;
    this.#pending = text.slice(begun);
    this.#take(text.slice(0, begun));
    const waits = this.#mode !== 'text' || (!this.sawThoughts && this.#waiting() < this.#maxHeld);
    return this.#release(!waits);
  }

  /** What was still waiting, at the end of the text. */
  end(): string {
    this.#take(this.#pending);
    return this.#release(true);
  }

  #shown = '';

  #waiting(): number {
    return this.#held === undefined ? Infinity : this.#shown.length;
  }

  #release(now: boolean): string {
    if (this.#held !== undefined && !now) return '';
    this.#held = undefined;
    const shown = this.#hasShown ? this.#shown : this.#shown.trimStart();
    this.#shown = '';
    this.#hasShown ||= shown !== '';
    return shown;
  }

  #take(text: string): void {
    let from = 0;
    for (const match of text.matchAll(TOKEN)) {
      this.#add(text.slice(from, match.index));
      from = match.index + match[0].length;
      if (this.#mode === 'text' && this.#isCode()) this.#add(match[0]);
      else this.#meet(match[0].toLowerCase());
    }
    this.#add(text.slice(from));
  }

  /** Text between two tokens. */
  #add(text: string): void {
    if (this.#mode === 'header') this.#channel &&= this.#channel + text;
    if (this.#mode !== 'text') return;
    this.#shown += text;
    for (const [i, part] of text.split('\n').entries()) {
      if (i > 0) this.#endLine();
      this.#line = (this.#line + part).slice(0, MAX_LINE);
      this.#ticks += part.split('`').length - 1;
    }
  }

  #endLine(): void {
    if (/^\s*(?:```|~~~)/.test(this.#line)) this.#fences += 1;
    this.#line = '';
    this.#ticks = 0;
  }

  #isCode(): boolean {
    return this.#fences % 2 === 1 || this.#ticks % 2 === 1;
  }

  #meet(token: string): void {
    if (token === '<|start|>' || token === '<|channel|>') {
      this.#mode = 'header';
      this.#channel = token === '<|channel|>' ? ' ' : undefined;
    } else if (this.#mode === 'header') {
      if (token !== '<|message|>') return;
      const isForReaders = this.#channel === undefined || this.#channel.trim() === 'final';
      this.sawThoughts ||= !isForReaders;
      this.#hide(isForReaders ? undefined : '<|end|>');
    } else if (this.#mode === 'hidden') {
      if (token === this.#close || (this.#close === '<|end|>' && token === '<|call|>'))
        this.#mode = 'text';
    } else if (token === '[tool_calls]') this.#hide('');
    else if (token.startsWith('</')) this.#forget();
    else if (!token.startsWith('<|')) {
      this.sawThoughts = true;
      this.#hide(`</${token.slice(1)}`);
    }
  }

  #hide(until: string | undefined): void {
    this.#mode = until === undefined ? 'text' : 'hidden';
    this.#close = until ?? '';
  }

  /** All that came before was not for readers. */
  #forget(): void {
    this.sawThoughts = true;
    this.sawLoneEnd = true;
    this.#shown = '';
    this.#line = '';
    this.#ticks = 0;
    this.#fences = 0;
  }
}
