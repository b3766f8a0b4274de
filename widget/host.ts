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
  readonly #observer = new MutationObserver(() => this.#lookSoon());
  readonly #parent: () => HTMLElement;
  readonly #setDark: (isDark: boolean) => void;
  readonly #theme: Options['theme'];
  #frame = 0;
  #timer = 0;

  constructor(options: Options, panel: Panel, open: () => void) {
    const shadow = this.#element.attachShadow({ mode: 'closed' });
    // No policy forbids these: neither an element nor an attribute has styles.
    shadow.adoptedStyleSheets = [sheet(styles), sheet(variables(options))];
    shadow.append(panel.root);
    this.#parent = () => options.container ?? document.body;
    this.#theme = options.theme;
    this.#setDark = isDark => panel.setDark(isDark);
    this.#look();
    const { signal } = this.#stop;
    const look = () => this.#look();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', look, { signal });
    addEventListener('load', look, { signal });
    this.#openByClass(options, open);
  }

  contains(element: Element | null): boolean {
    return element === this.#element;
  }

  remove(): void {
    this.#stop.abort();
    this.#observer.disconnect();
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#timer);
    this.#element.remove();
  }

  /** Once per frame at most: pages move by attributes that change all the time. */
  #lookSoon(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#look();
    });
  }

  /**
   * Stays on the page, whose router may replace the body, and is dark if the page is, which may have
   * a switch of its own.
   */
  #look(): void {
    const parent = this.#parent();
    if (!this.#element.isConnected) parent.append(this.#element);
    this.#observer.disconnect();
    for (const element of [document.documentElement, document.body, parent])
      this.#observer.observe(element, { attributes: true, childList: true });
    this.#followTheme();
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#followTheme(), SETTLED_MS);
  }

  #followTheme(): void {
    this.#setDark(this.#theme === 'system' ? pageIsDark() : this.#theme === 'dark');
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
