import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Html, html } from './html.ts';

/** A page of the dashboard's build that is sent with its content. */
const BUILT = join(import.meta.dirname, '..', 'dashboard', 'dist', 'review.html');
/** Where the dashboard is not built, its content is still to be read. */
const BARE =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><!--head--></head>' +
  '<body><main><!--content--></main><!--data--></body></html>';

interface ServerPage {
  title: string;
  /** For lists of links and previews: one paragraph. */
  description?: string;
  /** What there is to read before the script, or without it. */
  content: Html;
  /** What the script shows in place of the content; without it, the content stays. */
  data?: unknown;
}

/** The whole document. It is read each time, since a build gives its files new names. */
export function serverPage({ title, description, content, data }: ServerPage): string {
  const head = html`<title>${title}</title>${
    description === undefined
      ? ''
      : html`<meta name="description" content="${description}">
<meta property="og:type" content="website"><meta property="og:site_name" content="Docent">
<meta property="og:title" content="${title}"><meta property="og:description" content="${description}">`
  }`;
  const json = JSON.stringify(data)?.replaceAll('<', '\\u003c');
  const parts: Record<string, string> = {
    head: head.markup,
    content: content.markup,
    data: json === undefined ? '' : `<script type="application/json" id="data">${json}</script>`,
  };
  const template = existsSync(BUILT) ? readFileSync(BUILT, 'utf8') : BARE;
  return template.replace(/<!--(head|content|data)-->/g, (_, name: string) => parts[name] ?? '');
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
