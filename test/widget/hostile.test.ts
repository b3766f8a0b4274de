import type { Page } from 'playwright-core';
import { startWidgetSite, type WidgetSite } from './harness.ts';

let site: WidgetSite;
let page: Page;
let complaints: string[];
let hosts: Set<string>;
let stream = '';
beforeAll(async () => {
  site = await startWidgetSite();
  ({ page, complaints, hosts } = await site.visit());
  // Docent itself drops links that the pages do not have: the widget alone is tried here.
  await page.route('**/discovery/v2/assistant/acme/message', route =>
    route.fulfill({
      headers: { 'access-control-allow-origin': '*' },
      contentType: 'text/event-stream',
      body: stream,
    }),
  );
  await page.getByRole('button', { name: 'Ask AI' }).click();
}, 180_000);
afterAll(async () => site?.close());

/** The markup of an answer, without what the widget adds. */
async function rendered(text: string): Promise<string> {
  const events = [
    { type: 'start', messageId: 'm', messageMetadata: { threadId: 't' } },
    ...(text.match(/[^]{1,2000}/g) ?? []).map(delta => ({ type: 'text-delta', delta })),
    { type: 'finish' },
  ];
  stream = events.map(event => `data: ${JSON.stringify(event)}\n\n`).join('');
  await page.getByRole('button', { name: 'New conversation' }).click();
  await page.getByLabel('Question').fill('How do I install it?');
  await page.keyboard.press('Enter');
  await page.locator('.note').first().waitFor({ timeout: 30_000 });
  return page.locator('.answer').evaluate(element => element.innerHTML);
}

const NEW_TAB = '<span class="hidden"> (opens in a new tab)</span>';
const out = (url: string, text: string) =>
  `<a href="${url}" target="_blank" rel="noopener noreferrer nofollow">${text}${NEW_TAB}</a>`;

it.each([
  [
    '**bold** and *soft*, `code`',
    '<p><strong>bold</strong> and <em>soft</em>, <code>code</code></p>',
  ],
  [
    '***both*** ~~old~~ snake_case_name',
    '<p><strong><em>both</em></strong> <del>old</del> snake_case_name</p>',
  ],
  ['2 * 3 * 4 and 5*6', '<p>2 * 3 * 4 and 5*6</p>'],
  ['\\*plain\\* \\[x\\]', '<p>*plain* [x]</p>'],
  ['``a ` b``', '<p><code>a ` b</code></p>'],
  ['one  \ntwo<br>three', '<p>one  <br>two<br>three</p>'],
  ['## Title\ntext', '<h4>Title</h4><p>text</p>'],
  ['# About C#\n\n### Closed ###', '<h4>About C#</h4><h5>Closed</h5>'],
  ['<mailto:a@acme.test>', '<p><a href="mailto:a@acme.test">mailto:a@acme.test</a></p>'],
  [
    '- a\n- b\n  1. c\n  2. d\n\n- e',
    '<ul><li>a</li><li>b<ol><li>c</li><li>d</li></ol></li><li>e</li></ul>',
  ],
  ['3. x\n4. y', '<ol start="3"><li>x</li><li>y</li></ol>'],
  ['> said\n> so', '<blockquote><p>said\nso</p></blockquote>'],
  ['---', '<hr>'],
  ['[acme](https://acme.test/a_(b) "t")', `<p>${out('https://acme.test/a_(b)', 'acme')}</p>`],
  [
    'See https://acme.test/x?y=1.',
    `<p>See ${out('https://acme.test/x?y=1', 'https://acme.test/x?y=1')}.</p>`,
  ],
  ['<https://acme.test/>', `<p>${out('https://acme.test/', 'https://acme.test/')}</p>`],
])('shows %j as it is meant', async (text, markup) => {
  expect((await rendered(text)).replace(/ dir="auto"/, '')).toBe(markup);
});

it('shows a table, with bars in its cells', async () => {
  const markup = await rendered('| a | b |\n|---|:-:|\n| 1 | `x \\| y` |\n| 2 |');
  expect(markup).toContain('<thead><tr><th scope="col">a</th><th scope="col">b</th></tr></thead>');
  expect(markup).toContain('<td>1</td><td><code>x | y</code></td></tr><tr><td>2</td><td></td>');
});

it('runs nothing, loads nothing and links to the web alone', async () => {
  const { length } = complaints;
  const markup = await rendered(
    [
      '<img src=x onerror="document.title=1"> <script>document.title=2</script>',
      '<svg onload=alert(1)> <a href="javascript:alert(1)">x</a>',
      '![seen](https://tracker.test/pixel.png) [a](javascript:alert(1)) [b](JaVaScRiPt:alert(1))',
      '[c](data:text/html,<script>alert(1)</script>) [d](vbscript:x) [e](\tjavascript:alert(1))',
      '[f](file:///etc/passwd) <javascript:alert(1)> [g](//other.test) [h](<javascript:alert(1)>)',
      '[![i](https://tracker.test/1.png)](javascript:alert(1))',
      '```<script>\nalert(1)</script>\n```',
    ].join('\n\n'),
  );
  expect(markup).not.toMatch(/<(?:script|img|svg|iframe|style)\b/i);
  expect(await page.locator('.answer [onerror], .answer [onload]').count()).toBe(0);
  const links = await page
    .locator('.answer a')
    .evaluateAll(all => all.map(each => (each as unknown as { href: string }).href));
  expect(links.length).toBeGreaterThan(1);
  for (const href of links) expect(href).toMatch(/^https?:/);
  expect(await page.title()).toBe('Acme docs');
  expect([...hosts].filter(host => host.endsWith('.test'))).toEqual([]);
  expect(complaints.slice(length)).toEqual([]);
});

it.each([
  ['stars', '**a '.repeat(20_000)],
  ['brackets', '['.repeat(30_000) + ']('.repeat(5_000)],
  ['quotes', '>'.repeat(20_000)],
  ['lists', Array.from({ length: 500 }, (_, i) => `${' '.repeat(i)}- x`).join('\n')],
  ['backticks', Array.from({ length: 400 }, (_, i) => '`'.repeat(i)).join(' ')],
  ['a table', `|${'a|'.repeat(2_000)}\n|${'-|'.repeat(2_000)}\n`],
  ['a heading', `# a${' '.repeat(20_000)}b`],
  ['words', 'word '.repeat(80_000)],
])(
  'survives an answer of %s within seconds',
  async (_, text) => {
    const began = Date.now();
    await rendered(text);
    expect(Date.now() - began).toBeLessThan(20_000);
  },
  60_000,
);
