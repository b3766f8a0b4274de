import { html } from '../html.ts';
import { serverPage } from '../server-page.ts';

/** For people who open an address where nothing is. */
export function notFoundPage(): string {
  return serverPage({
    title: 'Not found · Docent',
    content: html`<h1>Page not found</h1><p>There is nothing at this address.</p>
<p><a href="/dashboard">Go to the dashboard</a></p>`,
  });
}
