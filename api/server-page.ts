import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Html, html } from './html.ts';

/** Pages of the dashboard's build that are sent with their content. */
const DIST = join(import.meta.dirname, '..', 'dashboard', 'dist');
/** Where the dashboard is not built, its content is still to be read. */
const BARE =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><!--head--></head>' +
  '<body><main><!--content--></main><!--data--></body></html>';

interface ServerPage {
  /** Which page of the build it is. */
  of?: 'review' | 'docs';
  language?: string;
  /** More for its head. */
  head?: Html;
  title: string;
  /** For lists of links and previews: one paragraph. */
  description?: string;
  /** What there is to read before the script, or without it. */
  content: Html;
  /** What the script shows in place of the content; without it, the content stays. */
  data?: unknown;
}

/** The whole document. It is read each time, since a build gives its files new names. */
export function serverPage(page: ServerPage): string {
  const { of = 'review', language, title, description, content, data } = page;
  const head = html`<title>${title}</title>${
    description === undefined
      ? ''
      : html`<meta name="description" content="${description}">
<meta property="og:type" content="website"><meta property="og:site_name" content="Docent">
<meta property="og:title" content="${title}"><meta property="og:description" content="${description}">`
  }${page.head ?? ''}`;
  const json = JSON.stringify(data)?.replaceAll('<', '\\u003c');
  const parts: Record<string, string> = {
    head: head.markup,
    content: content.markup,
    data: json === undefined ? '' : `<script type="application/json" id="data">${json}</script>`,
  };
  const built = join(DIST, `${of}.html`);
  const template = existsSync(built) ? readFileSync(built, 'utf8') : BARE;
  const inLanguage = language
    ? template.replace('<html lang="en">', html`<html lang="${language}">`.markup)
    : template;
  return inLanguage.replace(/<!--(head|content|data)-->/g, (_, name: string) => parts[name] ?? '');
}

/** Of every page for people. `formsTo`: an origin that forms may be sent to. */
export function pageHeaders(formsTo = ''): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'self'",
      "img-src 'self' data:",
      "object-src 'none'",
      "base-uri 'none'",
      `form-action 'self' ${formsTo}`.trim(),
      "frame-ancestors 'none'",
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  };
}
