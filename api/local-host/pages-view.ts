import { type Html, html } from '../html.ts';
import { serverPage } from '../server-page.ts';
import type { ChangedPage } from './changed-pages.ts';
import { renderTree } from './tree-view.ts';

/** The changed pages of a pull request, as readers will see them. */
export const PAGES = serverPage(`
main {
  max-width: 52rem;
  margin: 0 auto;
  padding: 1.6rem clamp(1rem, 3.5vw, 2.75rem) 4rem;
}
h1 {
  font-size: 1.375rem;
  overflow-wrap: anywhere;
}
h2 {
  margin: 0 0 1rem;
  font: 500 0.875rem/1.5 var(--mono);
  overflow-wrap: anywhere;
}
.page {
  margin-top: 1.5rem;
  padding: 1rem 1.5rem;
  border: 1px solid var(--line);
  border-radius: 8px;
  background: var(--surface);
  overflow-wrap: anywhere;
}
.quiet {
  color: var(--faint);
}
.state, .image {
  padding: 0.05rem 0.5rem;
  border-radius: 4px;
  background: var(--sunken);
  color: var(--soft);
}
.scroll {
  overflow-x: auto;
}
table {
  border-collapse: collapse;
}
th, td {
  padding: 0.35rem 0.7rem;
  border: 1px solid var(--line);
  text-align: left;
  vertical-align: top;
}
pre {
  padding: 0.8rem 1rem;
  border-radius: 6px;
  background: var(--sunken);
  overflow-x: auto;
}
:not(pre) > code {
  padding: 0.1em 0.3em;
  border-radius: 4px;
  background: var(--sunken);
}
blockquote {
  margin-inline: 0;
  padding-left: 1rem;
  border-left: 3px solid var(--line);
  color: var(--soft);
}
.box, .callout {
  margin: 0.8rem 0;
  padding: 0.6rem 1rem;
  border: 1px solid var(--line);
  border-radius: 6px;
}
.callout {
  border-left: 4px solid var(--accent);
}
.callout-tip, .callout-check {
  border-left-color: var(--good);
}
.callout-warning {
  border-left-color: var(--warn);
}
.callout-danger {
  border-left-color: var(--bad);
}
.box-title {
  margin: 0;
  font-weight: 600;
}
ins, [data-change='added'] {
  background: var(--added);
}
del, [data-change='removed'] {
  background: var(--removed);
}
[data-change='removed'] {
  text-decoration: line-through;
}
pre ins, pre del {
  display: block;
}
.token-keyword {
  color: light-dark(#8a3fae, #d3a4f2);
}
.token-string {
  color: light-dark(#146c3d, #7fd6a1);
}
.token-number {
  color: light-dark(#8a4a06, #eebb62);
}
.token-comment {
  color: var(--faint);
}
.token-name {
  color: light-dark(#2a4fb8, #9db8ff);
}
.token-meta {
  color: light-dark(#a1303a, #ff9a9a);
}
`);

interface Shown {
  /** Of the pull request. */
  title: string;
  /** Its page. */
  link: string;
}

export function changedPagesView(
  { title, link }: Shown,
  { pages, complete }: { pages: readonly ChangedPage[]; complete: boolean },
): Html {
  const rest = complete ? '' : html`<p class="quiet">The other pages are in the diff.</p>`;
  return frame({ title, link }, html`${pages.map(pageView)}${rest}`);
}

/** `why`: one sentence. */
export function noPagesView(shown: Shown, why: string): Html {
  return frame(shown, html`<p>The pages cannot be shown. ${why}</p>`);
}

function frame({ title, link }: Shown, content: Html): Html {
  return PAGES.render({
    title: `Pages · ${title}`,
    brand: 'Docent',
    content: html`<main id="main"><h1>${title}</h1>
<p class="quiet">The changed pages, with what is around each change. <a href="${link}">Back to the pull request</a></p>
${content}</main>`,
  });
}

function pageView({ path, blocks }: ChangedPage): Html {
  return html`<article class="page" aria-label="Page ${path}"><h2>${path}</h2>
${blocks.map(block => (block === null ? html`<p class="quiet">…</p>` : renderTree([block])))}</article>`;
}
