import type { Options } from './options.ts';
import { pageIsDark } from './view/colours.ts';
import type { Panel } from './view/panel.ts';
import { text as styles } from './view/styles.css';

/** Pages change their colours slowly. */
const SETTLED_MS = 400;

/** The element on the page: a closed shadow root, its style sheets, and what it watches. */
export class Host {
  readonly #element = document.createElement('docent-assistant');
  readonly #stop = new AbortController();
  readonly #observers: MutationObserver[] = [];

  constructor(options: Options, panel: Panel, open: () => void) {
    const shadow = this.#element.attachShadow({ mode: 'closed' });
    // No policy forbids these: neither an element nor an attribute has styles.
    shadow.adoptedStyleSheets = [sheet(styles), sheet(variables(options))];
    shadow.append(panel.root);
    const parent = () => options.container ?? document.body;
    parent().append(this.#element);
    this.#stayOn(parent);
    this.#followTheme(options, panel);
    this.#openByClass(options, open);
  }

  contains(element: Element | null): boolean {
    return element === this.#element;
  }

  remove(): void {
    this.#stop.abort();
    for (const observer of this.#observers) observer.disconnect();
    this.#element.remove();
  }

  /** Routers that replace the body take the element with it. */
  #stayOn(parent: () => HTMLElement): void {
    const observer = new MutationObserver(() => {
      if (!this.#element.isConnected && parent().isConnected) parent().append(this.#element);
    });
    observer.observe(document.documentElement, { childList: true });
    observer.observe(document.body, { childList: true });
    this.#observers.push(observer);
  }

  /** As the page is, which has a switch of its own. */
  #followTheme({ theme }: Options, panel: Panel): void {
    if (theme !== 'system') return panel.setDark(theme === 'dark');
    const look = () => panel.setDark(pageIsDark());
    const lookTwice = () => {
      look();
      setTimeout(look, SETTLED_MS);
    };
    look();
    const observer = new MutationObserver(lookTwice);
    for (const element of [document.documentElement, document.body])
      observer.observe(element, { attributes: true });
    this.#observers.push(observer);
    const { signal } = this.#stop;
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', lookTwice, { signal });
    addEventListener('load', lookTwice, { signal });
  }

  /** Elements of the site's own that open the assistant, also those that come later. */
  #openByClass({ openClass }: Options, open: () => void): void {
    if (!openClass) return;
    const isOpener = (target: EventTarget | null) =>
      target instanceof Element && target.closest(`.${CSS.escape(openClass)}`) !== null;
    const onClick = (event: Event) => {
      if (!isOpener(event.target)) return;
      event.preventDefault();
      open();
    };
    document.addEventListener('click', onClick, { signal: this.#stop.signal });
  }
}

function sheet(text: string): CSSStyleSheet {
  const made = new CSSStyleSheet();
  made.replaceSync(text);
  return made;
}

function variables({ accent, radius, zIndex }: Options): string {
  return `.root{--fill:${accent.fill};--on-fill:${accent.onFill};--accent-light:${accent.light};--accent-dark:${accent.dark};--radius:${radius}px;--z:${zIndex}}`;
}
