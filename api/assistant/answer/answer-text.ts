import type { AnswerInProgress } from './answer-in-progress.ts';
import { InnerText } from '../../../shared/text/inner-text.ts';
import { Prose, type WrittenLink } from './prose.ts';

/** After an end of thoughts without a beginning, so many answers wait whole for another. */
const WAITING_ANSWERS = 3;

/**
 * The text of one model call on its way to the reader: without what the model says to itself and
 * without citation markers, which are noted. A link stays if it leads to a page of the index, or
 * stands in a passage that the model was given; else its text does.
 */
export class AnswerText {
  readonly #answer: AnswerInProgress;
  readonly #send: (text: string) => void;
  readonly #inner: InnerText;
  readonly #prose: Prose;
  /** Sends what comes before, in order: a link is looked up. */
  #sending: Promise<void> | undefined;
  #hasText = false;

  constructor(answer: AnswerInProgress, send: (text: string) => void) {
    this.#answer = answer;
    this.#send = send;
    const { thinkers, model } = answer.deps;
    const waiting = answer.separatesThoughts ? 0 : thinkers.get(model);
    this.#inner = new InnerText(
      waiting === undefined ? 'beginning' : waiting > 0 ? 'all' : 'nothing',
    );
    this.#prose = new Prose(
      answer.passages === 'numbered' ? number => answer.citations.citeNumber(number) : undefined,
    );
  }

  /** Returns a promise while something has to be looked up. */
  add(piece: string): Promise<void> | undefined {
    this.#hasText ||= piece.trim() !== '';
    const text = this.#inner.read(piece);
    return text === '' ? undefined : this.#pass(this.#prose.read(text));
  }

  async end(): Promise<void> {
    await this.#pass([...this.#prose.read(this.#inner.end()), ...this.#prose.end()]);
    this.#noteThoughts();
  }

  /** Settles when all that was added is sent, or rejects if that failed. */
  async sent(): Promise<void> {
    await this.#sending;
  }

  /** Not forever: a reader can ask any model to write such an end. */
  #noteThoughts(): void {
    const { separatesThoughts, deps } = this.#answer;
    if (separatesThoughts || !this.#hasText) return;
    const { thinkers, model } = deps;
    const fewer = Math.max(0, (thinkers.get(model) ?? 0) - 1);
    thinkers.set(model, this.#inner.sawLoneEnd ? WAITING_ANSWERS : fewer);
  }

  #pass(parts: (string | WrittenLink)[]): Promise<void> | undefined {
    if (!this.#sending && parts.every(part => typeof part === 'string')) {
      for (const part of parts) this.#send(part);
      return undefined;
    }
    const sending = (this.#sending ?? Promise.resolve())
      .then(async () => {
        for (const part of parts)
          this.#send(typeof part === 'string' ? part : await this.#judged(part));
      })
      .then(() => {
        if (this.#sending === sending) this.#sending = undefined;
      });
    this.#sending = sending;
    return sending;
  }

  async #judged({ written, target, text }: WrittenLink): Promise<string> {
    if (written.startsWith('!')) return text;
    const { deps, request, citations } = this.#answer;
    if (citations.mention(target)) return written;
    if (target.startsWith('#') || (/^[a-z][a-z\d+.-]*:/i.test(target) && !this.#isOnSite(target)))
      return text;
    const { project, filter } = request;
    const isPage = await deps
      .hasPage({ projectId: project.id, path: target, ...(filter && { filter }) })
      .catch((error: unknown) => {
        deps.log.warn({ err: error }, 'a link of an answer was not looked up');
        return false;
      });
    return isPage ? written : text;
  }

  #isOnSite(target: string): boolean {
    const { siteUrl } = this.#answer.request.project;
    return (
      siteUrl !== null && URL.canParse(target) && new URL(target).host === new URL(siteUrl).host
    );
  }
}
