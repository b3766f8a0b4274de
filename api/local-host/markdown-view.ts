import type { ListItem, Nodes, Parents, Table } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { tooComplex } from '../../sites/complexity.ts';
import { Html, html } from '../html.ts';

const markdown = unified().use(remarkParse).use(remarkGfm);

/**
 * Untrusted Markdown as HTML that loads nothing and runs nothing: raw HTML is shown as text, an
 * image becomes a link, and links lead to http, https and mail addresses only. What would keep the
 * parser busy is shown as it is.
 */
export function renderMarkdown(text: string): Html {
  // A pull request's body has no frontmatter, which would not count.
  return tooComplex(`\n${text}`)
    ? html`<pre tabindex="0">${text}</pre>`
    : children(markdown.parse(text));
}

function children(node: Parents): Html {
  return html`${node.children.map(render)}`;
}

/** A list without blank lines: its items are lines, not paragraphs. */
function tight(item: ListItem): Html {
  const lines = item.children.map(child =>
    child.type === 'paragraph' ? children(child) : render(child),
  );
  return html`${lines}`;
}

function render(node: Nodes): Html {
  switch (node.type) {
    case 'paragraph':
      return html`<p>${children(node)}</p>`;
    // The one h1 is the page's title.
    case 'heading':
      return element(`h${Math.max(node.depth, 2)}`, children(node));
    case 'emphasis':
      return html`<em>${children(node)}</em>`;
    case 'strong':
      return html`<strong>${children(node)}</strong>`;
    case 'delete':
      return html`<del>${children(node)}</del>`;
    case 'inlineCode':
      return html`<code>${node.value}</code>`;
    case 'code':
      return html`<pre tabindex="0"><code>${node.value}</code></pre>`;
    case 'blockquote':
      return html`<blockquote>${children(node)}</blockquote>`;
    case 'list':
      return node.ordered
        ? html`<ol start="${node.start ?? 1}">${children(node)}</ol>`
        : html`<ul>${children(node)}</ul>`;
    case 'listItem':
      return html`<li>${checkbox(node.checked)}${node.spread ? children(node) : tight(node)}</li>`;
    case 'break':
      return html`<br>`;
    case 'thematicBreak':
      return html`<hr>`;
    case 'link':
      return link(node.url, children(node));
    case 'image':
      return link(node.url, html`${node.alt || node.url}`);
    case 'table':
      return table(node);
    case 'definition':
      return html``;
    default:
      return 'children' in node ? children(node) : html`${'value' in node ? node.value : ''}`;
  }
}

function link(url: string, text: Html): Html {
  if (!/^(https?:\/\/|mailto:)/i.test(url)) return text;
  return html`<a href="${url}" rel="nofollow noopener noreferrer">${text}</a>`;
}

function table(node: Table): Html {
  const [head, ...rows] = node.children;
  const cells = (row: typeof head, tag: string) =>
    row?.children.map(cell => element(tag, children(cell))) ?? [];
  const body = rows.map(row => html`<tr>${cells(row, 'td')}</tr>`);
  return html`<table><thead><tr>${cells(head, 'th')}</tr></thead><tbody>${body}</tbody></table>`;
}

function checkbox(checked: boolean | null | undefined): Html {
  if (typeof checked !== 'boolean') return html``;
  return checked
    ? html`<span role="img" aria-label="done">☑</span> `
    : html`<span role="img" aria-label="to do">☐</span> `;
}

/** `tag` is one of ours. */
function element(tag: string, content: Html): Html {
  return new Html(`<${tag}>${content.markup}</${tag}>`);
}
