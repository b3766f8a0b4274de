import type { Failure } from '../failure.ts';
import type { Turn } from '../conversation.ts';
import type { Labels } from '../labels/en.ts';
import { MarkdownView } from '../markdown/blocks.ts';
import { safeUrl } from '../address.ts';
import { h, iconButton, link } from './dom.ts';

export interface TurnCalls {
  canVote: boolean;
  vote(turn: Turn, helpful: boolean | null): Promise<boolean>;
  retry(turn: Turn): void;
  followed(event: Event): void;
  say(text: string): void;
}

const SUGGESTED = /^\((.*)\)\[(.*)\]$/gm;
const SENTENCE = /^[\s\S]*[.!?:。！？]["')\]]*(?:\s|$)/;

/** A question and its answer, which grows. */
export class TurnView {
  readonly element: HTMLElement;
  readonly #turn: Turn;
  readonly #labels: Labels;
  readonly #calls: TurnCalls;
  // In the reader's language, not in that of the labels.
  readonly #answer = h('div', { class: 'answer', lang: '' });
  readonly #below = h('div');
  readonly #markdown: MarkdownView;
  /** Characters of the answer's plain text that were read out. */
  #said = 0;

  constructor(turn: Turn, labels: Labels, calls: TurnCalls) {
    this.#turn = turn;
    this.#labels = labels;
    this.#calls = calls;
    this.#markdown = new MarkdownView(this.#answer, {
      newTab: labels.newTab,
      code: (text, language) =>
        language === 'suggestions' ? this.#suggestions(text) : this.#code(text),
    });
    this.element = h(
      'section',
      { class: 'turn', on: { click: event => calls.followed(event) } },
      h('h3', { class: 'asked', lang: '' }, turn.question),
      this.#answer,
      this.#below,
    );
    this.#answer.dir = 'auto';
    if (turn.answer) this.#markdown.add(turn.answer);
    if (turn.state === 'waiting')
      this.#below.replaceChildren(h('p', { class: 'searching' }, labels.searching));
    else this.#showEnd();
  }

  /** Shows more of the answer; whole sentences are read out. */
  add(text: string): void {
    this.#markdown.add(text);
    if (/\S/.test(text)) this.#below.replaceChildren();
    this.#say(false);
  }

  end(failure?: Failure): void {
    this.#say(true);
    this.#showEnd(failure);
  }

  #showEnd(failure?: Failure): void {
    const { state, sources } = this.#turn;
    const labels = this.#labels;
    const notes: string[] = [];
    if (state === 'failed') notes.push(failure?.status === 429 ? labels.limited : labels.failed);
    if (state === 'stopped') notes.push(labels.stopped);
    if (state === 'answered' && sources.length === 0) notes.push(labels.noSources);
    this.#below.replaceChildren(
      ...notes.map(text => h('p', { class: 'note' }, text)),
      ...(sources.length > 0 ? [this.#sources()] : []),
      this.#actions(),
    );
    for (const text of notes) this.#calls.say(text);
    if (sources.length > 0) this.#calls.say(`${labels.sources}: ${sources.length}`);
  }

  #sources(): HTMLElement {
    const items = this.#turn.sources.flatMap(({ url, title }) => {
      const safe = safeUrl(url);
      return safe ? [h('li', {}, link(safe, this.#labels.newTab, title))] : [];
    });
    return h(
      'div',
      { class: 'sources' },
      h('strong', {}, this.#labels.sources),
      h('ul', { 'aria-label': this.#labels.sources }, ...items),
    );
  }

  #actions(): HTMLElement {
    const { state, messageId, answer } = this.#turn;
    const row = h('div', { class: 'actions' });
    if (state === 'failed' || state === 'stopped')
      row.append(smallButton(this.#labels.retry, () => this.#calls.retry(this.#turn)));
    if (state === 'failed' || answer === '' || messageId === '' || !this.#calls.canVote) return row;
    const thanks = h('span');
    const votes = ([true, false] as const).map(helpful => {
      const label = helpful ? this.#labels.helpful : this.#labels.unhelpful;
      return iconButton(helpful ? 'up' : 'down', label, () => void choose(helpful));
    });
    const show = () =>
      votes.forEach((button, i) =>
        button.setAttribute('aria-pressed', String(this.#turn.vote === (i === 0))),
      );
    const choose = async (helpful: boolean) => {
      const isCounted = await this.#calls.vote(
        this.#turn,
        this.#turn.vote === helpful ? null : helpful,
      );
      show();
      const { failed, thanks: thank } = this.#labels;
      thanks.textContent = isCounted ? (this.#turn.vote === null ? '' : thank) : failed;
      this.#calls.say(thanks.textContent);
    };
    show();
    row.append(...votes, thanks);
    return row;
  }

  #code(text: string): HTMLElement {
    const copy = smallButton(this.#labels.copy, () => {
      navigator.clipboard.writeText(text).then(
        () => {
          copy.textContent = this.#labels.copied;
          this.#calls.say(this.#labels.copied);
        },
        () => undefined, // not permitted: the text can be selected
      );
    });
    // Pages without TLS have no clipboard.
    return h(
      'div',
      { class: 'code' },
      isSecureContext && copy,
      h('pre', { tabindex: 0 }, h('code', {}, text)),
    );
  }

  /** Lines `(title)[/path]`: pages that the answer does not cite. */
  #suggestions(text: string): HTMLElement {
    const items = [...text.matchAll(SUGGESTED)].flatMap(([, title = '', path = '']) => {
      const url = safeUrl(this.#turn.pages[path] ?? '');
      return this.#turn.pages[path] && url
        ? [h('li', {}, link(url, this.#labels.newTab, title))]
        : [];
    });
    if (items.length === 0) return h('div');
    const { seeAlso } = this.#labels;
    return h(
      'div',
      { class: 'sources' },
      h('strong', {}, seeAlso),
      h('ul', { 'aria-label': seeAlso }, ...items),
    );
  }

  #say(isLast: boolean): void {
    const text = this.#answer.innerText.slice(this.#said);
    const sentences = isLast ? text : (SENTENCE.exec(text)?.[0] ?? '');
    this.#said += sentences.length;
    if (sentences.trim()) this.#calls.say(sentences.trim());
  }
}

function smallButton(label: string, onClick: () => void): HTMLButtonElement {
  return h('button', { type: 'button', class: 'small', on: { click: onClick } }, label);
}
