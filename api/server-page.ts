import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Html, html } from './html.ts';

/** Colours, type and header of the dashboard, for pages that are whole when they arrive. */
const FRAME_STYLE = `
:root {
  color-scheme: light dark;
  --page: light-dark(#fbfbfc, #111216);
  --surface: light-dark(#fff, #17191f);
  --sunken: light-dark(#f3f4f6, #1d2027);
  --line: light-dark(#e3e5ea, #2a2e38);
  --text: light-dark(#17191f, #eceef2);
  --soft: light-dark(#4a505d, #b4bac6);
  --faint: light-dark(#646b79, #949bab);
  --accent: light-dark(#3641ad, #b7beff);
  --good: light-dark(#146c3d, #6fd79a);
  --good-wash: light-dark(#e3f5ea, #12301f);
  --warn: light-dark(#85540a, #eebb62);
  --bad: light-dark(#b0232d, #ff9a9a);
  --bad-wash: light-dark(#fdebec, #3d1a1e);
  --merged: light-dark(#7a2fb0, #d0a2ff);
  --merged-wash: light-dark(#f5eafc, #2f1c42);
  --added: light-dark(#e6f6ec, #12291c);
  --removed: light-dark(#fdecee, #33181c);
  --sans: 'Inter', -apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', 'Liberation Sans', Arial, sans-serif;
  --mono: ui-monospace, 'SF Mono', 'Cascadia Code', Menlo, Consolas, 'Liberation Mono', 'DejaVu Sans Mono', monospace;
}
* {
  box-sizing: border-box;
}
html {
  scroll-padding-top: 1rem;
}
body {
  margin: 0;
  background: var(--page);
  color: var(--text);
  font: 0.9375rem/1.55 var(--sans);
}
h1, h2, h3 {
  line-height: 1.3;
  letter-spacing: -0.011em;
}
a {
  color: var(--accent);
}
code, pre {
  font-family: var(--mono);
  font-size: 0.92em;
}
:focus-visible {
  outline: 2px solid var(--accent);
  outline-offset: 2px;
}
.skip {
  position: absolute;
  left: -100rem;
}
.skip:focus {
  left: 1rem;
  top: 1rem;
}
.top {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0.6rem 1.5rem;
  padding: 0.7rem clamp(1rem, 3.5vw, 2.75rem);
  border-bottom: 1px solid var(--line);
  background: var(--surface);
}
.top .brand {
  display: flex;
  align-items: center;
  gap: 0.55rem;
  margin-right: auto;
  color: var(--text);
  font-weight: 650;
  text-decoration: none;
}
.top .links {
  font-size: 0.8125rem;
  text-decoration: none;
}
`;

const ICON = new Html(
  '<svg aria-hidden="true" width="24" height="24" viewBox="0 0 32 32">' +
    '<rect width="32" height="32" rx="8" fill="#4a56d2"/><path d="M10 8.5h6.5a7.5 7.5 0 0 1 0 15H10z" ' +
    'fill="none" stroke="#fff" stroke-width="2.6" stroke-linejoin="round"/>' +
    '<path d="M14 13.5h4M14 18.5h2.5" stroke="#fff" stroke-width="2.2" stroke-linecap="round"/></svg>',
);

const ASSETS = join(import.meta.dirname, '..', 'dashboard', 'dist', 'assets');

/** The dashboard's, under the name that its build gave it; without a build, the system's. */
function font(): string {
  const files = existsSync(ASSETS) ? readdirSync(ASSETS) : [];
  const name = files.find(file => /^inter-[\w-]+\.woff2$/.test(file));
  return name === undefined
    ? ''
    : `@font-face {
  font-family: 'Inter';
  font-weight: 400 700;
  font-display: swap;
  src: url('/dashboard/assets/${name}') format('woff2');
}
`;
}

/** A kind of page with a style of its own. */
export interface ServerPage {
  /** Only the font is loaded, and nothing runs; the one style element is known by its hash. */
  contentSecurityPolicy: string;
  /** The whole document; `content` has the one `main`, with the id `main`. */
  render(parts: { title: string; brand: string; content: Html }): Html;
}

export function serverPage(ownStyle: string): ServerPage {
  const style = font() + FRAME_STYLE + ownStyle;
  const hash = createHash('sha256').update(style).digest('base64');
  return {
    contentSecurityPolicy: [
      "default-src 'none'",
      `style-src 'sha256-${hash}'`,
      "font-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    render: ({ title, brand, content }) => html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${new Html(style)}</style></head>
<body><a class="skip" href="#main">Skip to content</a>
<header class="top"><a class="brand" href="/dashboard">${ICON} ${brand}</a>
<a class="links" href="/docs">Docs</a> <a class="links" href="/reference">API reference</a></header>
${content}</body></html>
`,
  };
}
