import { ask, check, search, vote } from './client.ts';
import {
  type Conversation,
  newTurn,
  note,
  hasAgreed,
  readConversation,
  storeAgreement,
  storeConversation,
  type Turn,
} from './conversation.ts';
import { Failure } from './failure.ts';
import { Host } from './host.ts';
import type { Options, WidgetEvent } from './options.ts';
import { Panel } from './view/panel.ts';

/** One assistant on one page. */
export class Widget {
  readonly #options: Options;
  readonly #conversation: Conversation;
  readonly #panel: Panel;
  readonly #host: Host;
  #answering: AbortController | undefined;
  #before: Element | null = null;
  #hasAgreed: boolean;
  /** Is asked as soon as the reader agrees. */
  #waiting: string | undefined;

  /** Throws `Failure` if the key may not be used here: then the page stays as it is. */
  static async start(options: Options): Promise<Widget> {
    if (options.key) await check(options);
    return new Widget(options);
  }

  constructor(options: Options) {
    this.#options = options;
    this.#conversation = readConversation(options.store);
    this.#hasAgreed = hasAgreed(options.store);
    this.#panel = new Panel(options, {
      open: () => this.open(),
      close: () => this.close(),
      reset: () => this.reset(),
      ask: text => void this.ask(text),
      stop: () => this.#answering?.abort(),
      agree: () => this.#agree(),
      search: (query, signal) => this.#search(query, signal),
      canVote: options.addresses.feedback !== undefined,
      vote: (turn, helpful) => this.#vote(turn, helpful),
      retry: turn => this.#retry(turn),
      followed: event => this.#followed(event),
      supportAddress: () => this.#supportAddress(),
    });
    this.#showAll();
    this.#host = new Host(options, this.#panel, () => this.open());
    this.#tell({ type: 'ready' });
  }

  get isOpen(): boolean {
    return this.#panel.isOpen;
  }

  /** Opens the dialog; without `takesFocus`, what had the focus keeps it. */
  open(takesFocus = true): void {
    if (this.isOpen) return this.#panel.focus();
    this.#before = document.activeElement === document.body ? null : document.activeElement;
    const selection = getSelection()?.toString().trim();
    if (selection) this.#panel.composer.setSelection(selection);
    this.#panel.open(takesFocus);
    this.#tell({ type: 'open' });
  }

  close(): void {
    if (!this.#panel.isOpen) return;
    this.#panel.close(this.#host.contains(this.#before) ? null : this.#before);
    this.#tell({ type: 'close' });
  }

  /** Ends the answer that is being written, and begins a new conversation. */
  reset(): void {
    this.#answering?.abort();
    this.#conversation.threadId = undefined;
    this.#conversation.turns.length = 0;
    this.#store();
    this.#showAll();
    this.#tell({ type: 'reset' });
    if (this.#panel.isOpen) this.#panel.focus();
  }

  destroy(): void {
    this.#answering?.abort();
    this.#panel.composer.stopSearch();
    this.#host.remove();
  }

  /** Opens the dialog and asks; settles when the answer has ended. */
  async ask(question: string): Promise<void> {
    this.open();
    const text = question.trim();
    if (this.#mustAgree) this.#waiting = text;
    if (this.#mustAgree || this.#answering || text === '') return;
    await this.#answer(newTurn(text, this.#panel.composer.takeSelection()));
  }

  async #answer(turn: Turn): Promise<void> {
    this.#conversation.turns.push(turn);
    this.#store();
    const view = this.#panel.addTurn(turn);
    const answering = (this.#answering = new AbortController());
    this.#panel.composer.setBusy(true);
    this.#tell({ type: 'ask' });
    const began = performance.now();
    let pending = '';
    let frame = 0;
    const show = () => {
      frame = 0;
      const piece = pending;
      pending = '';
      if (piece) this.#panel.grow(() => view.add(piece));
    };
    const failure = await this.#receive(turn, answering.signal, piece => {
      pending += piece;
      frame ||= requestAnimationFrame(show);
    });
    cancelAnimationFrame(frame);
    if (!this.#conversation.turns.includes(turn)) return; // a new conversation has begun
    // Whatever comes of showing it, the next question can be asked.
    this.#answering = undefined;
    this.#panel.composer.setBusy(false);
    this.#store();
    show();
    this.#panel.grow(() => view.end(failure));
    const { state, sources } = turn;
    const ms = Math.round(performance.now() - began);
    this.#tell({
      type: state === 'stopped' ? 'stop' : 'answer',
      state,
      sources: sources.length,
      ms,
    });
  }

  async #receive(
    turn: Turn,
    signal: AbortSignal,
    onText: (text: string) => void,
  ): Promise<Failure | undefined> {
    const { threadId } = this.#conversation;
    const { question: text, selection } = turn;
    let failure: Failure | undefined;
    try {
      await ask(this.#options, { text, threadId, selection }, signal, event => {
        if (event.type === 'error') failure = new Failure('answer', 200, event.errorText);
        else onText(note(this.#conversation, turn, event));
      });
    } catch (error) {
      failure = error instanceof Failure ? error : new Failure('interrupted', 0, String(error));
    }
    turn.state = signal.aborted ? 'stopped' : failure ? 'failed' : 'answered';
    if (turn.state === 'answered') turn.selection = undefined; // kept to ask again
    if (signal.aborted || !failure) return undefined;
    // The thread was deleted, or is another reader's: the next question begins one.
    if (failure.status === 404) this.#conversation.threadId = undefined;
    this.#tellFailure(failure);
    return failure;
  }

  async #search(query: string, signal: AbortSignal) {
    const hits = await search(this.#options, query, signal);
    this.#tell({ type: 'search', hits: hits.length });
    return hits;
  }

  async #vote(turn: Turn, helpful: boolean | null): Promise<boolean> {
    const { threadId, messageId } = turn;
    try {
      await vote(this.#options, { threadId, messageId, helpful });
    } catch (error) {
      this.#tellFailure(error as Failure);
      return false;
    }
    turn.vote = helpful;
    this.#store();
    this.#tell({ type: 'vote', helpful });
    return true;
  }

  #store(): void {
    storeConversation(this.#options.store, this.#conversation);
  }

  #retry(turn: Turn): void {
    if (this.#answering) return;
    this.#conversation.turns.splice(this.#conversation.turns.indexOf(turn), 1);
    this.#panel.removeTurn(turn);
    void this.#answer(newTurn(turn.question, turn.selection));
  }

  #followed(event: Event): void {
    const link = event.composedPath().find(target => target instanceof HTMLAnchorElement);
    if (!link) return;
    this.#tell({ type: 'source' });
    // A modal would stay on top of the page that is open already.
    const { origin, pathname, search: query } = location;
    const isThisPage = link.href.split('#')[0] === origin + pathname + query;
    if (isThisPage && this.#panel.isModal) this.close();
  }

  #showAll(): void {
    this.#panel.composer.setBusy(false);
    this.#answering = undefined;
    this.#panel.showStart(this.#mustAgree);
    if (this.#mustAgree) return;
    for (const turn of this.#conversation.turns) this.#panel.addTurn(turn);
  }

  get #mustAgree(): boolean {
    return this.#options.consent && !this.#hasAgreed;
  }

  #agree(): void {
    storeAgreement(this.#options.store);
    this.#hasAgreed = true;
    this.#showAll();
    this.#panel.focus();
    if (this.#waiting) void this.ask(this.#waiting);
    this.#waiting = undefined;
  }

  /** The site's own page for people, with the thread that they can be helped by. */
  #supportAddress(): string | undefined {
    const { supportUrl } = this.#options;
    const { threadId } = this.#conversation;
    if (!supportUrl || !threadId || supportUrl.startsWith('mailto:')) return supportUrl;
    const url = new URL(supportUrl);
    url.searchParams.set('threadId', threadId);
    return url.href;
  }

  /** Says what happened, never what was asked or answered. */
  #tell(event: WidgetEvent): void {
    try {
      this.#options.hooks.event?.(event);
    } catch (error) {
      reportError(error); // of the site's own, as the errors of its listeners are
    }
    dispatchEvent(new CustomEvent('docent-assistant', { detail: event }));
  }

  #tellFailure(failure: Failure): void {
    try {
      this.#options.hooks.error?.(failure);
    } catch (error) {
      reportError(error);
    }
  }
}
