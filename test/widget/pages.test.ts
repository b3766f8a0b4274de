import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { siteHtml, startWidgetSite, styleOf, type Visit, type WidgetSite } from './harness.ts';

const BUILT = join(import.meta.dirname, '../../dashboard/dist');
const MOST_BYTES = 30_000;

let site: WidgetSite;
beforeAll(async () => {
  site = await startWidgetSite();
}, 180_000);
afterAll(async () => site?.close());

/** Asks, and returns what the browser complains of. */
async function answers({ page, complaints }: Visit): Promise<string[]> {
  site.says({ text: 'It works.\n\n```\ncode\n```\n' });
  await page.getByRole('button', { name: 'Ask AI' }).click();
  await page.getByLabel('Question').fill('How do I install it?');
  await page.keyboard.press('Enter');
  await page.getByRole('list', { name: 'Sources' }).waitFor();
  // Styles are in force: the button stands at the end of the page.
  const box = await page.getByRole('dialog').boundingBox();
  expect(box!.x).toBeGreaterThan(600);
  return complaints;
}

describe('the script', () => {
  it('is small, asked for again, and may be used from isolated pages', async () => {
    for (const kind of ['br', 'gz'])
      expect(readFileSync(join(BUILT, `widget.js.${kind}`)).length).toBeLessThan(MOST_BYTES);
    const get = (headers: Record<string, string> = {}) =>
      site.assistant.app.inject({ url: '/widget.js', headers });
    const first = await get();
    expect(first.statusCode).toBe(200);
    expect(first.headers['content-type']).toBe('application/javascript; charset=utf-8');
    expect(first.headers['cross-origin-resource-policy']).toBe('cross-origin');
    expect(first.headers['access-control-allow-origin']).toBe('*');
    expect(first.headers['cache-control']).toContain('max-age=300');
    const again = await get({ 'if-none-match': String(first.headers['etag']) });
    expect(again.statusCode).toBe(304);
    expect((await get({ 'accept-encoding': 'br' })).headers['content-encoding']).toBe('br');
  });
});

describe('works on a page', () => {
  const policies = () => ({
    'that allows Docent’s origin and nothing else':
      `default-src 'none'; script-src ${site.assistant.url}; connect-src ${site.assistant.url}; ` +
      `base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
    'whose scripts have a nonce':
      `default-src 'none'; script-src 'nonce-abc' 'strict-dynamic'; connect-src ${site.assistant.url}; ` +
      `style-src 'nonce-abc'; require-trusted-types-for 'script'`,
  });
  it.each(['that allows Docent’s origin and nothing else', 'whose scripts have a nonce'] as const)(
    '%s',
    async name => {
      site.pages.set('/csp', {
        html: siteHtml(site.tag({ nonce: 'abc' })),
        headers: { 'content-security-policy': policies()[name] },
      });
      expect(await answers(await site.visit('/csp'))).toEqual([]);
    },
  );

  it('that is isolated from other origins', async () => {
    site.pages.set('/isolated', {
      html: siteHtml(site.tag()),
      headers: {
        'cross-origin-embedder-policy': 'require-corp',
        'cross-origin-opener-policy': 'same-origin',
      },
    });
    expect(await answers(await site.visit('/isolated'))).toEqual([]);
  });

  it('whose monitoring adds headers to every request', async () => {
    const trace = `<script>{const send = fetch; window.fetch = (url, init = {}) => send(url, {...init,
      headers: {...init.headers, traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      'sentry-trace': 'x', baggage: 'y'}})}</script>`;
    site.pages.set('/traced', { html: siteHtml(site.tag(), trace) });
    expect(await answers(await site.visit('/traced'))).toEqual([]);
  });

  it('whose styles reach for everything', async () => {
    const style = `<style>* { all: revert; color: red !important; font-size: 40px !important }
      body > * { position: static !important; transform: rotate(3deg); filter: blur(1px) }
      docent-assistant, dialog, button { display: none; opacity: 0 }</style>`;
    site.pages.set('/styles', { html: siteHtml(site.tag(), style) });
    const visit = await site.visit('/styles');
    expect(await answers(visit)).toEqual([]);
    const button = visit.page.getByRole('dialog').getByRole('button', { name: 'Close' });
    expect(await styleOf(button, 'fontSize')).toBe('15px');
  });

  it('in a browser without URL.canParse, with pixels that are made up', async () => {
    const head = `<script>delete URL.canParse;
      CanvasRenderingContext2D.prototype.getImageData = () => ({ data: [0, 0, 0, 0] })</script>`;
    site.pages.set('/older', { html: siteHtml(site.tag(), head) });
    expect(await answers(await site.visit('/older'))).toEqual([]);
  });

  it('with two tags, as one', async () => {
    site.pages.set('/twice', { html: siteHtml(site.tag() + site.tag()) });
    const visit = await site.visit('/twice');
    expect(await answers(visit)).toEqual([]);
    expect(await visit.page.locator('docent-assistant').count()).toBe(1);
  });

  it('whose router replaces the body and runs the tag again', async () => {
    const visit = await site.visit();
    expect(await answers(visit)).toEqual([]);
    const { page } = visit;
    await page.evaluate(`{
      const body = document.createElement('body');
      body.innerHTML = '<main><h1>Another page</h1></main>';
      const script = document.createElement('script');
      script.src = ${JSON.stringify(`${site.assistant.url}/widget.js`)};
      body.append(script);
      document.body.replaceWith(body);
      history.pushState({}, '', '/another');
    }`);
    await page.getByRole('heading', { name: 'Another page' }).waitFor();
    await page.locator('docent-assistant').waitFor({ state: 'attached' });
    expect(await page.locator('docent-assistant').count()).toBe(1);
    await page.evaluate(`document.querySelector('docent-assistant').remove()`);
    await page.getByText('It works.').first().waitFor();
  });
});

describe('leaves the page as it is', () => {
  async function refused(attributes: Record<string, string>): Promise<string> {
    site.pages.set('/refused', { html: siteHtml(site.tag(attributes)) });
    const { page, complaints } = await site.visit('/refused');
    for (let i = 0; i < 100 && !complaints.some(isOurs); i += 1) await page.waitForTimeout(50);
    expect(await page.locator('docent-assistant').count()).toBe(0);
    expect(await page.locator('body > *').count()).toBe(2);
    return complaints.find(isOurs) ?? '';
  }
  const isOurs = (text: string) => text.startsWith('[docent]');

  it('on a host that the key does not allow, and names the origin to add', async () => {
    const { token } = await site.assistant.createKey({
      allowedOrigins: ['https://docs.acme.test'],
    });
    expect(await refused({ 'data-key': token })).toContain(
      `Add ${site.origin} to the key's allowed origins`,
    );
  });

  it('with a wrong key, a wrong domain, no key, or a server that is not there', async () => {
    expect(await refused({ 'data-key': 'svc_dsc_wrong' })).toContain('malformed');
    expect(await refused({ 'data-domain': 'nowhere' })).toContain('There is no such domain');
    expect(await refused({ 'data-domain': '' })).toContain('data-domain');
    expect(await refused({ 'data-server': 'http://127.0.0.1:9' })).toContain('cannot be reached');
  });
});
