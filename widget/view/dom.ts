type Child = Node | string | undefined | false;
type Listeners = Record<string, (event: Event) => void>;
/** Attributes by name, and listeners under `on`. */
type Attributes = Record<string, string | number | boolean | undefined | Listeners>;

/** An element with attributes, listeners and children; text stays text. */
export function h<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[T] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'object')
      for (const [event, listener] of Object.entries(value))
        element.addEventListener(event, listener);
    else if (value !== undefined && value !== false)
      element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.filter(child => child !== undefined && child !== false));
  return element;
}

const SVG = 'http://www.w3.org/2000/svg';
const PATHS = {
  chat: 'M4 5h16v11H9l-5 4z',
  close: 'M6 6l12 12M18 6L6 18',
  reset: 'M12 5v14M5 12h14',
  send: 'M12 19V5M6 11l6-6 6 6',
  stop: 'M7 7h10v10H7z',
  up: 'M7 20V10l5-7 1.5 1L12 9h7l-2 11zM3.5 10.5v9',
  down: 'M7 4v10l5 7 1.5-1L12 15h7L17 4zM3.5 4.5v9',
  page: 'M6 3h8l4 4v14H6zM14 3v4h4',
} as const;
export type IconName = keyof typeof PATHS;

export function icon(name: IconName): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', PATHS[name]);
  svg.append(path);
  return svg;
}

/** A button with an icon; its name is read out, and shown as a hint. */
export function iconButton(
  name: IconName,
  label: string,
  onClick: () => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  return h(
    'button',
    {
      type: 'button',
      class: 'icon',
      'aria-label': label,
      title: label,
      on: { click: onClick },
      ...attributes,
    },
    icon(name),
  );
}

/** Whether a key belongs to a Japanese or Chinese word; Safari says so by the code alone. */
export function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229;
}

/** A link of the answer: to the site itself in this tab, to others in a new one. */
export function link(url: string, newTab: string, ...children: Child[]): HTMLElement {
  const { protocol, origin } = new URL(url, location.href);
  const isOut = /^https?:$/.test(protocol) && origin !== location.origin;
  return h(
    'a',
    { href: url, ...(isOut && { target: '_blank', rel: 'noopener noreferrer nofollow' }) },
    ...children,
    isOut && h('span', { class: 'hidden' }, ` (${newTab})`),
  );
}
