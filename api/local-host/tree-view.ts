import type { Attributes, PageElement, PageNode } from '../dashboard/contract/page-tree.ts';
import { CALLOUT_KINDS, TOKEN_KINDS } from '../dashboard/contract/page-tree.ts';
import { Html, html } from '../html.ts';

/** Elements that are what they are called; of another, only the children are shown. */
const PLAIN = new Set(
  (
    'p div span ul ol li dl dt dd thead tbody tr th td caption blockquote figure figcaption ' +
    'strong em del ins mark code kbd sub sup small abbr'
  ).split(' '),
);
const LINK = /^(?:https?:|mailto:)/i;

/**
 * The nodes of a page as markup that needs no script, loads nothing and names no page of the site:
 * images are their descriptions, tabs stand one below the other.
 */
export function renderTree(nodes: readonly PageNode[]): Html {
  return html`${nodes.map(node => (typeof node === 'string' ? html`${node}` : draw(node)))}`;
}

function draw(element: PageElement): Html {
  const { tag, attributes = {}, children = [] } = element;
  const special = Object.hasOwn(DRAWN, tag) ? DRAWN[tag] : undefined;
  if (special) return special(attributes, renderTree(children), element);
  const inside = renderTree(children);
  if (tag === 'br' || tag === 'hr') return raw(`<${tag}>`);
  if (!PLAIN.has(tag)) return inside;
  return html`${raw(`<${tag}`)}${changeOf(attributes)}${spans(attributes)}>${inside}${raw(`</${tag}>`)}`;
}

/** Of names that are on a list of ours. */
function raw(markup: string): Html {
  return new Html(markup);
}

function changeOf({ change }: Attributes): Html {
  return change === 'added' || change === 'removed' || change === 'changed'
    ? raw(` data-change="${change}"`)
    : raw('');
}

function spans({ colspan, rowspan, start }: Attributes): Html {
  const counts = Object.entries({ colspan, rowspan, start }).filter(([, value]) =>
    /^\d{1,3}$/.test(value ?? ''),
  );
  return raw(counts.map(([name, value]) => ` ${name}="${value}"`).join(''));
}

type Draw = (attributes: Attributes, inside: Html, element: PageElement) => Html;

/** The page around it has the first two levels. */
const heading: Draw = (attributes, inside, { tag }) => {
  const level = Math.min(6, Number(tag.slice(1)) + 2);
  return html`${raw(`<h${level}`)}${changeOf(attributes)}>${inside}${raw(`</h${level}>`)}`;
};

const box =
  (className: string): Draw =>
  (attributes, inside) => {
    const { title, name, change: _change } = attributes;
    const label = title ?? name;
    const head = label === undefined ? '' : html`<p class="box-title">${label}</p>`;
    return html`<div class="${className}"${changeOf(attributes)}>${head}${inside}</div>`;
  };

const DRAWN: Readonly<Partial<Record<string, Draw>>> = {
  h1: heading,
  h2: heading,
  h3: heading,
  h4: heading,
  h5: heading,
  h6: heading,
  table: (attributes, inside) =>
    html`<div class="scroll" tabindex="0" role="region" aria-label="Table"${changeOf(attributes)}><table>${inside}</table></div>`,
  link: ({ href }, inside) =>
    href !== undefined && LINK.test(href)
      ? html`<a href="${href}" rel="nofollow noopener noreferrer">${inside}</a>`
      : html`<u>${inside}</u>`,
  image: ({ alt, file }) =>
    html`<span class="image">Image: ${alt || file || 'without a text'}</span>`,
  'check-box': ({ checked }) =>
    checked === 'true'
      ? html`<span role="img" aria-label="done">☑</span> `
      : html`<span role="img" aria-label="open">☐</span> `,
  'code-block': (attributes, _inside, element) => code(attributes, element),
  callout: (attributes, inside, element) => {
    const kind = CALLOUT_KINDS.find(each => each === attributes.kind) ?? 'note';
    return box(`callout callout-${kind}`)(attributes, inside, element);
  },
  card: box('box'),
  tab: box('box'),
  step: box('box'),
  field: box('box'),
  details: box('box'),
  unknown: box('box'),
  badge: (_attributes, inside) => html`<span class="state">${inside}</span>`,
};

/** Code with its colours; compared with an earlier page, with its lines marked. */
function code(attributes: Attributes, { tokens = [], children }: PageElement): Html {
  const { title, language } = attributes;
  const label = title ?? (language ? `${language} code` : 'Code');
  const content = children
    ? renderTree(children)
    : html`${tokens.map(([kind, text]) =>
        kind !== 'plain' && TOKEN_KINDS.includes(kind)
          ? html`<span class="token-${kind}">${text}</span>`
          : html`${text}`,
      )}`;
  return html`<pre tabindex="0" role="region" aria-label="${label}"${changeOf(attributes)}><code>${content}</code></pre>`;
}
