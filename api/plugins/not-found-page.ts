import { html } from '../html.ts';
import { serverPage } from '../server-page.ts';

/** For people who open an address where nothing is. */
export const NOT_FOUND = serverPage(`
main {
  max-width: 32rem;
  margin: 15vh auto;
  padding: 0 1.5rem;
}
h1 {
  font-size: 1.375rem;
}
`);
export const NOTHING_HERE = NOT_FOUND.render({
  title: 'Not found · Docent',
  brand: 'Docent',
  content: html`<main id="main"><h1>Page not found</h1><p>There is nothing at this address.</p>
<p><a href="/dashboard">Go to the dashboard</a></p></main>`,
}).markup;
