import type { Hit } from '../client.ts';
import type { Labels } from '../labels/en.ts';
import { safeUrl } from '../address.ts';
import { h, icon, iconButton, isComposing, link } from './dom.ts';

export interface ComposerCalls {
  ask(text: string): void;
  stop(): void;
  search(query: string, signal: AbortSignal): Promise<Hit[]>;
  followed(event: Event): void;
  say(text: string): void;
}

const SEARCH_AFTER_MS = 250;
const SHORTEST_QUERY = 2;
const MAX_QUERY = 200;
const EXCERPT = 140;

/** Where questions are written; pages appear while a person types, the answer on Enter. */
export class Composer {
  readonly element: HTMLFormElement;
  readonly #labels: Labels;
  readonly #calls: ComposerCalls;
  readonly #input: HTMLTextAreaElement;
  readonly #hits: HTMLElement;
  readonly #chip = h('p', { class: 'chip', hidden: true });
  readonly #send: HTMLButtonElement;
  readonly #stop: HTMLButtonElement;
  #timer = 0;
  #searching: AbortController | undefined;
  #selection: string | undefined;

  constructor(labels: Labels, calls: ComposerCalls) {
    this.#labels = labels;
    this.#calls = calls;
    this.#input = h('textarea', {
      rows: 1,
      maxlength: 4_000,
      dir: 'auto',
      placeholder: labels.placeholder,
      'aria-label': labels.question,
      on: { input: () => this.#typed(), keydown: event => this.#pressed(event as KeyboardEvent) },
    });
    this.#hits = h('ul', {
      class: 'hits',
      'aria-label': labels.pages,
      hidden: true,
      on: {
        keydown: event => this.#moved(event as KeyboardEvent),
        click: event => calls.followed(event),
      },
    });
    this.#send = iconButton('send', labels.send, () => undefined, { type: 'submit' });
    this.#stop = iconButton('stop', labels.stop, () => calls.stop(), { hidden: true });
    this.element = h(
      'form',
      { on: { submit: event => this.#submitted(event) } },
      this.#chip,
      this.#hits,
      h('div', { class: 'box' }, this.#input, this.#send, this.#stop),
    );
  }

  focus(): void {
    this.#input.focus();
  }

  setBusy(busy: boolean): void {
    const hadFocus = this.#stop.matches(':focus') || this.#send.matches(':focus');
    this.#send.hidden = busy;
    this.#stop.hidden = !busy;
    if (hadFocus) (busy ? this.#stop : this.#input).focus();
  }

  /** The page's selected text, which the next question is about. */
  setSelection(selection: string | undefined): void {
    this.#selection = selection;
    this.#chip.hidden = selection === undefined;
    if (selection === undefined) return;
    this.#chip.replaceChildren(
      `${this.#labels.selection}: `,
      h('q', {}, selection.slice(0, EXCERPT)),
      iconButton('close', this.#labels.remove, () => {
        this.setSelection(undefined);
        this.focus();
      }),
    );
  }

  takeSelection(): string | undefined {
    const selection = this.#selection;
    this.setSelection(undefined);
    return selection;
  }

  #submitted(event: Event): void {
    event.preventDefault();
    const text = this.#input.value.trim();
    if (text === '' || this.#send.hidden) return;
    this.#input.value = '';
    this.stopSearch();
    this.#calls.ask(text);
  }

  #pressed(event: KeyboardEvent): void {
    if (event.key === 'Enter' && !event.shiftKey && !isComposing(event)) {
      event.preventDefault();
      this.element.requestSubmit();
    }
    if (event.key === 'ArrowUp' && this.#input.selectionStart === 0) this.#focusHit(-1);
  }

  /** The arrow keys move between the pages, and from the last one back to the question. */
  #moved(event: KeyboardEvent): void {
    const links = [...this.#hits.querySelectorAll('a')];
    const at = links.findIndex(each => each.matches(':focus'));
    if (event.key === 'ArrowUp') this.#focusHit(at - 1);
    else if (event.key === 'ArrowDown' && at < links.length - 1) this.#focusHit(at + 1);
    else if (event.key === 'ArrowDown') this.focus();
    else return;
    event.preventDefault();
  }

  #focusHit(index: number): void {
    const links = [...this.#hits.querySelectorAll('a')];
    links.at(Math.max(index, -1))?.focus();
  }

  #typed(): void {
    clearTimeout(this.#timer);
    this.#searching?.abort();
    const query = this.#input.value.trim().slice(0, MAX_QUERY);
    if (query.length < SHORTEST_QUERY) return this.#showHits([]);
    this.#timer = window.setTimeout(() => void this.#search(query), SEARCH_AFTER_MS);
  }

  async #search(query: string): Promise<void> {
    const { signal } = (this.#searching = new AbortController());
    const hits = await this.#calls.search(query, signal).catch(() => undefined);
    if (signal.aborted || this.#input.value.trim() === '') return;
    this.#showHits(hits ?? []);
    if (hits) this.#calls.say(this.#labels.found.replace('{n}', String(hits.length)));
  }

  stopSearch(): void {
    clearTimeout(this.#timer);
    this.#searching?.abort();
    this.#showHits([]);
  }

  #showHits(hits: Hit[]): void {
    const items = hits.flatMap(({ url, content, metadata }) => {
      const safe = safeUrl(url);
      if (!safe) return [];
      const excerpt = content
        .replace(/[#*`_>|[\]-]+/g, '')
        .replace(/\s+/g, ' ')
        .trim();
      const text = h('span', {}, metadata.title, h('small', {}, excerpt.slice(0, EXCERPT)));
      const opened = link(safe, this.#labels.newTab, text);
      opened.prepend(icon('page'));
      return [h('li', {}, opened)];
    });
    this.#hits.replaceChildren(...items);
    this.#hits.hidden = items.length === 0;
  }
}
