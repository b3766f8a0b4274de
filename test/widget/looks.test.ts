import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { findings } from '../dashboard/ui/axe.ts';
import { siteHtml, startWidgetSite, type WidgetSite } from './harness.ts';

/** Pictures to look at: WIDGET_PICTURES=<folder>. */
const PICTURES = process.env['WIDGET_PICTURES'];
const ANSWER = `Install the **pump driver**, then start it:

\`\`\`sh
npm install acme
acme start --with-a-long-option --another-long-option --and-one-more
\`\`\`

1. Choose a [schedule](https://docs.acme.test/schedule).
2. Run \`acme pause\` to pause it.

| Command | What it does | Undo |
|---|---|---|
| \`acme pause\` | Pauses the schedule | \`acme resume\` |

> A pause does not water your plants.
`;

let site: WidgetSite;
beforeAll(async () => {
  site = await startWidgetSite();
  if (PICTURES) mkdirSync(PICTURES, { recursive: true });
}, 180_000);
afterAll(async () => site?.close());

async function shoot(page: Page, name: string): Promise<void> {
  if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}

const page = (dark: boolean, head = '') =>
  `${head}<style>body { background: ${dark ? '#111216; color: #fff' : '#fff'}; font-family: sans-serif }
  a { color: ${dark ? '#9db8ff' : '#1a3fb5'} }</style>`;
const PHONE = { width: 390, height: 844 };
const WIDE = { width: 1280, height: 800 };

describe.each([
  ['button', 'en', 'ltr', false, WIDE],
  ['button', 'de', 'ltr', true, PHONE],
  ['panel', 'ja', 'ltr', true, WIDE],
  ['modal', 'fr', 'ltr', false, WIDE],
  ['panel', 'ar', 'rtl', false, WIDE],
  ['button', 'he', 'rtl', true, PHONE],
] as const)('the %s in %s, %s, dark: %s', (variant, language, dir, dark, viewport) => {
  it('has no finding of axe, closed, open, with an answer', async () => {
    const name = `${variant}-${language}-${dark ? 'dark' : 'light'}-${viewport.width}`;
    const tag = site.tag({
      'data-variant': variant,
      'data-language': language,
      'data-modal-example-questions': 'How do I install it?,How do I pause a schedule?',
      'data-project-color': '#0ca678',
      'data-support-url': '/support',
    });
    const html = siteHtml(tag, page(dark)).replace('lang="en"', `lang="${language}" dir="${dir}"`);
    site.pages.set(`/${name}`, { html });
    site.says({ text: ANSWER });
    const { page: shown } = await site.visit(`/${name}`, { viewport });
    const launcher = shown.locator('.launcher');
    await launcher.waitFor();
    expect(await findings(shown)).toEqual([]);
    await shoot(shown, `${name}-closed`);
    await launcher.click();
    const dialog = shown.getByRole('dialog');
    await dialog.waitFor();
    await shoot(shown, `${name}-open`);
    expect(await findings(shown)).toEqual([]);
    await dialog.locator('textarea').fill('install');
    await dialog.locator('.hits a').first().waitFor();
    expect(await findings(shown)).toEqual([]);
    await shoot(shown, `${name}-pages`);
    await shown.keyboard.press('Enter');
    await dialog.locator('.actions').waitFor();
    expect(await findings(shown)).toEqual([]);
    await shoot(shown, `${name}-answer`);
    await dialog.locator('.log').evaluate(log => Object.assign(log, { scrollTop: 0 }));
    await shoot(shown, `${name}-top`);
    // Nothing sticks out of the page, and what is pressed is large enough for a finger.
    const box = (await dialog.boundingBox())!;
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(viewport.width);
    expect(box.height).toBeLessThanOrEqual(viewport.height);
    for (const button of await dialog.locator('button:visible').all()) {
      const { width, height } = (await button.boundingBox())!;
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(24);
    }
    const isRight = box.x + box.width / 2 > viewport.width / 2;
    if (viewport === WIDE && variant !== 'modal') expect(isRight).toBe(dir === 'ltr');
  }, 90_000);
});

it('is used by keyboard alone, and gives the focus back', async () => {
  site.pages.set('/keys', { html: siteHtml(site.tag({ 'data-variant': 'modal' })) });
  site.says({ text: '[Acme](https://docs.acme.test/install)\n\n```\ncode\n```' });
  const { page: shown } = await site.visit('/keys');
  const launcher = shown.getByRole('button', { name: 'Ask AI' });
  await launcher.waitFor();
  const focused = () =>
    shown.evaluate<string>(`(() => {
      let at = document.activeElement;
      while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
      return at.getAttribute('aria-label') ?? at.textContent.trim();
    })()`);
  do await shown.keyboard.press('Tab');
  while ((await focused()) !== 'Ask AI');
  await shown.keyboard.press('Enter');
  await shown.keyboard.type('How do I install it?');
  await shown.keyboard.press('Enter');
  await shown.getByRole('list', { name: 'Sources' }).waitFor();
  const reached: string[] = [];
  for (let i = 0; i < 14; i += 1) {
    await shown.keyboard.press('Shift+Tab');
    reached.push(await focused());
  }
  for (const name of [
    'Helpful',
    'Not helpful',
    'Copy',
    'Conversation',
    'Close',
    'New conversation',
  ])
    expect(reached).toContain(name);
  expect(reached).not.toContain('Next page'); // of the page behind the modal
  await shown.keyboard.press('Escape');
  expect(await focused()).toBe('Ask AI');
});

it('has a tree that a screen reader can read', async () => {
  site.says({ text: 'Run `npm install acme`.' });
  const { page: shown } = await site.visit();
  await shown.getByRole('button', { name: 'Ask AI' }).click();
  await shown.getByLabel('Question').fill('How do I install it?');
  await shown.keyboard.press('Enter');
  await shown.getByRole('list', { name: 'Sources' }).waitFor();
  const tree = await shown.getByRole('region', { name: 'Ask the docs' }).first().ariaSnapshot();
  expect(tree).toBe(
    `
- region "Ask the docs":
  - dialog "Ask the docs":
    - heading "Ask the docs" [level=2]
    - button "New conversation"
    - button "Close"
    - region "Conversation":
      - heading "How do I install it?" [level=3]
      - paragraph:
        - text: Run
        - code: npm install acme
        - text: .
      - strong: Sources
      - list "Sources":
        - listitem:
          - link "Installation (opens in a new tab)":
            - /url: https://docs.acme.test/install
      - button "Helpful"
      - button "Not helpful"
    - textbox "Question":
      - /placeholder: Ask a question or search
    - button "Ask"
    - text: Answers are generated by AI from these docs and can be wrong.
    - status:
      - paragraph: Run npm install acme.
      - paragraph: "Sources: 1"`.trim(),
  );
});
