import type { Options } from '../options.ts';
import type { Turn } from '../conversation.ts';
import { Composer, type ComposerCalls } from './composer.ts';
import { h, icon, iconButton, isComposing } from './dom.ts';
import { TurnView, type TurnCalls } from './turn-view.ts';

export interface PanelCalls extends Omit<ComposerCalls, 'say'>, Omit<TurnCalls, 'say'> {
  open(): void;
  close(): void;
  reset(): void;
  agree(): void;
  supportAddress(): string | undefined;
}

const NARROW = '(max-width: 640px)';
/** Pixels from the end within which the log follows a growing answer. */
const NEAR_END = 80;
/** Pixels above the question that was asked last. */
const MARGIN = 16;
/** Sentences that a screen reader may still have to read out. */
const MAX_SAID = 30;
/** After that, nobody who reads the dialog finds the answer twice. */
const SAID_MS = 10_000;

/** The button, and the dialog with the conversation. */
export class Panel {
  readonly root: HTMLElement;
  readonly composer: Composer;
  readonly #options: Options;
  readonly #calls: PanelCalls;
  readonly #dialog: HTMLDialogElement;
  readonly #launcher: HTMLButtonElement;
  readonly #log: HTMLElement;
  // Without `aria-atomic`, each sentence would read out those before it again.
  readonly #status = h('div', { class: 'hidden', role: 'status', 'aria-atomic': 'false' });
  readonly #support = h('a', { target: '_blank', rel: 'noopener' });
  readonly #turns = new Map<Turn, TurnView>();
  #silence = 0;
  #isPressedBehind = false;

  constructor(options: Options, calls: PanelCalls) {
    this.#options = options;
    this.#calls = calls;
    const { labels } = options;
    const say = (text: string) => this.#say(text);
    this.composer = new Composer(labels, { ...calls, say });
    this.#log = h('div', {
      class: 'log',
      tabindex: 0,
      role: 'region',
      'aria-label': labels.conversation,
    });
    this.#launcher = h(
      'button',
      { type: 'button', class: 'launcher', 'aria-haspopup': 'dialog', on: { click: calls.open } },
      options.logo ? h('img', { src: options.logo, alt: '' }) : icon('chat'),
      labels.button,
    );
    this.#dialog = this.#makeDialog();
    const classes = ['root', options.variant, options.side === 'left' && 'left'];
    this.root = h(
      'section',
      {
        'aria-label': labels.title,
        class: classes.filter(Boolean).join(' '),
        dir: options.direction,
        lang: options.language,
      },
      options.hasButton && this.#launcher,
      this.#dialog,
    );
    this.#support.textContent = labels.support;
  }

  #makeDialog(): HTMLDialogElement {
    const { labels, logo } = this.#options;
    return h(
      'dialog',
      {
        'aria-labelledby': 'title',
        on: {
          // Of a modal; the browser would close it without us.
          cancel: event => {
            event.preventDefault();
            this.#calls.close();
          },
          ...{ keyup: stop, keypress: stop },
          keydown: event => {
            stop(event);
            const { key } = event as KeyboardEvent;
            if (key === 'Escape' && !isComposing(event as KeyboardEvent)) this.#calls.close();
          },
          // What is behind a modal, unless text was selected up to there.
          pointerdown: event => (this.#isPressedBehind = event.target === this.#dialog),
          click: event => {
            if (event.target === this.#dialog && this.#isPressedBehind) this.#calls.close();
          },
        },
      },
      h(
        'header',
        {},
        logo ? h('img', { src: logo, alt: '' }) : undefined,
        h('h2', { id: 'title' }, labels.title),
        iconButton('reset', labels.reset, () => this.#calls.reset()),
        iconButton('close', labels.close, () => this.#calls.close()),
      ),
      this.#log,
      this.composer.element,
      this.#status,
    );
  }

  get isOpen(): boolean {
    return this.#dialog.open;
  }

  get isModal(): boolean {
    return this.#dialog.matches(':modal');
  }

  open(takesFocus = true): void {
    if (this.isOpen) return;
    this.#updateSupport();
    const { variant, container } = this.#options;
    const before = document.activeElement;
    const isModal = variant === 'modal' || matchMedia(NARROW).matches;
    if (isModal && !container) this.#dialog.showModal();
    else this.#dialog.show();
    this.#launcher.hidden = true;
    if (takesFocus) this.focus();
    else if (before instanceof HTMLElement) before.focus();
    this.#log.scrollTop = this.#log.scrollHeight;
  }

  focus(): void {
    if (this.composer.element.hidden) this.#log.querySelector('button')?.focus();
    else this.composer.focus();
  }

  /** The focus returns to the button, or to where it was. */
  close(before: Element | null): void {
    this.#dialog.close();
    this.#launcher.hidden = false;
    if (before instanceof HTMLElement && before.isConnected) before.focus();
    else this.#launcher.focus();
  }

  setDark(isDark: boolean): void {
    this.root.classList.toggle('dark', isDark);
  }

  /** Before the first question: whether the reader agrees, or what they can ask. */
  showStart(mustAgree: boolean): void {
    const { labels, starterQuestions } = this.#options;
    this.#turns.clear();
    this.composer.element.hidden = mustAgree;
    this.#log.replaceChildren(
      mustAgree
        ? this.#consent()
        : h(
            'div',
            { class: 'intro' },
            starterQuestions.length > 0 && h('p', {}, labels.starters),
            ...starterQuestions.map(question =>
              h(
                'button',
                {
                  type: 'button',
                  class: 'starter',
                  on: { click: () => this.#calls.ask(question) },
                },
                question,
              ),
            ),
          ),
    );
    this.#say('');
  }

  addTurn(turn: Turn): TurnView {
    const view = new TurnView(turn, this.#options.labels, {
      ...this.#calls,
      say: text => this.#say(text),
    });
    if (this.#turns.size === 0) this.#log.replaceChildren();
    this.#turns.set(turn, view);
    this.#log.append(view.element);
    this.#log.scrollTop = this.#log.scrollHeight;
    return view;
  }

  removeTurn(turn: Turn): void {
    this.#turns.get(turn)?.element.remove();
    this.#turns.delete(turn);
  }

  /** Changes the log, which follows its end if that was in sight. */
  grow(change: () => void): void {
    const log = this.#log;
    const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_END;
    change();
    this.#updateSupport();
    // As far as its question stays in sight.
    const last = log.lastElementChild as HTMLElement | null;
    if (isAtEnd && last) log.scrollTop = Math.min(log.scrollHeight, last.offsetTop - MARGIN);
  }

  /** The footer; its link has the thread as soon as there is one. */
  #updateSupport(): void {
    const address = this.#calls.supportAddress();
    if (address) this.#support.href = address;
    if (this.composer.element.querySelector('.foot')) return;
    this.composer.element.append(
      h(
        'div',
        { class: 'foot' },
        h('span', {}, this.#options.labels.disclaimer),
        address && this.#support,
      ),
    );
  }

  #consent(): HTMLElement {
    const { labels } = this.#options;
    return h(
      'div',
      { class: 'consent' },
      h('h3', {}, labels.consentTitle),
      h('p', {}, labels.consentText),
      h(
        'button',
        { type: 'button', class: 'primary', on: { click: this.#calls.agree } },
        labels.consentAccept,
      ),
    );
  }

  /** For screen readers: one polite region, which grows by whole sentences. */
  #say(text: string): void {
    clearTimeout(this.#silence);
    if (text === '') return this.#status.replaceChildren();
    this.#silence = window.setTimeout(() => this.#status.replaceChildren(), SAID_MS);
    this.#status.append(h('p', {}, text));
    while (this.#status.childElementCount > MAX_SAID) this.#status.firstElementChild!.remove();
  }
}

/** The page's own shortcuts are not for what is typed here. */
function stop(event: Event): void {
  event.stopPropagation();
}
