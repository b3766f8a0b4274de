import { commitAs } from '../../support/person.ts';
import { callAs, indexSite } from './fill.ts';
import { findingsInBothThemes } from './axe.ts';
import { at, startUi, type Ui, type Visitor } from './harness.ts';
import { API, COMPONENTS, HOSTILE, PICTURE } from './reader-pages.ts';
import { slowly } from '../../support/slow.ts';

let ui: Ui;
let member: Visitor;
beforeAll(async () => {
  ui = await startUi({
    files: {
      'docs/docs.json': JSON.stringify({
        name: 'Acme',
        navigation: {
          groups: [
            { group: 'Start', pages: ['index', 'deliveries', 'components'] },
            { group: 'API', openapi: 'openapi.json' },
            { group: 'Other', pages: ['boxes', 'hostile', 'hostile-mdx', 'internal'] },
          ],
        },
      }),
      'docs/index.md':
        '---\ntitle: Welcome\ndescription: What Acme is\n---\n\n' +
        'Acme sends parcels by rocket. See [returns](deliveries.md#return-a-parcel) or ' +
        '[the call](/api-reference/parcels/get-a-parcel).\n',
      'docs/openapi.json': API,
      'docs/deliveries.md':
        '---\ntitle: Deliveries\n---\n\n## Track a parcel\n\nEnter the parcel number.\n\n' +
        '## Return a parcel\n\nA parcel can be returned within 30 days.\n\n' +
        '```js title="send.js"\nconst parcel = "x";\n```\n\n![A rocket](images/rocket.gif)\n',
      'docs/images/rocket.gif': PICTURE,
      'docs/images/evil.svg': '<svg xmlns="http://www.w3.org/2000/svg" onload="top.ran=1"/>',
      'docs/internal.md': '---\ntitle: Internal\ngroups: [staff]\n---\n\nFor staff only.\n',
      'docs/zh/index.md': '---\ntitle: 欢迎\n---\n\n火箭。\n',
      'docs/v1/index.md': '---\ntitle: Welcome to 1.0\n---\n\nBy horse.\n',
      ...COMPONENTS,
      ...HOSTILE,
    },
  });
  member = await ui.signedIn('member', { viewport: { width: 1440, height: 900 } });
}, 180_000);
afterAll(async () => ui?.close());

const article = () => member.page.getByRole('article');

describe('the docs of a project, in the reader', () => {
  it('leads through the navigation, links, anchors and search', async () => {
    const { page, complaints } = member;
    await page.getByRole('link', { name: 'Docs', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Welcome' }).waitFor();
    await page.getByText('What Acme is').waitFor();
    await article().getByRole('link', { name: 'returns' }).click();
    await page.getByRole('heading', { level: 1, name: 'Deliveries' }).waitFor();
    expect(page.url()).toContain('/docs/deliveries#return-a-parcel');
    const contents = page.getByRole('navigation', { name: 'On this page' });
    await contents.getByRole('link', { name: 'Track a parcel' }).waitFor();
    await article().getByRole('region', { name: 'send.js' }).getByText('const').waitFor();
    const image = article().getByRole('img', { name: 'A rocket' });
    await image.scrollIntoViewIfNeeded();
    // The policy forbids what waitForFunction would do in the page.
    while ((await page.evaluate('document.querySelector("article img")?.naturalWidth')) !== 1)
      await page.waitForTimeout(20);

    const navigation = page.getByRole('navigation', { name: 'Pages of the docs' });
    expect(
      await navigation.getByRole('link', { name: 'Deliveries' }).getAttribute('aria-current'),
    ).toBe('page');
    await page.keyboard.press('/');
    await page.keyboard.type('parcel');
    const results = page.getByRole('region', { name: 'Search results' });
    const first = results.getByRole('option').first();
    await first.locator('mark').first().waitFor();
    expect(await results.innerText()).not.toMatch(/\]\(|`/);
    await page.keyboard.press('ArrowDown');
    await results.locator('[aria-selected="true"] >> nth=0').waitFor();
    expect(await first.getAttribute('aria-selected')).toBe('false');
    const search = page.getByRole('combobox', { name: 'Search these docs' });
    await search.fill('welcome');
    await results.getByRole('option', { name: /Welcome/ }).waitFor();
    await search.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Welcome' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Deliveries' }).waitFor();
    expect(complaints).toEqual([]);
  }, 90_000);

  it('opens the pages of an API description, from links, the navigation and search', async () => {
    const { page, complaints } = member;
    await page.goto(at('/docs/'));
    await article().getByRole('link', { name: 'the call' }).click();
    await page.getByRole('heading', { level: 1, name: 'Get a parcel' }).waitFor();
    expect(page.url()).toMatch(/\/docs\/api-reference\/parcels\/get-a-parcel$/);
    await page.getByRole('heading', { level: 2, name: 'GET /parcels/{id}' }).waitFor();
    await article().getByText('(path, string, at most 9 characters, required)').waitFor();
    await article().getByText('curl "https://api.acme.test/parcels/$ID"').waitFor();
    expect(await page.evaluate('globalThis.ran')).toBeUndefined();
    expect(await article().locator('img, script, iframe').count()).toBe(0);
    expect(await findingsInBothThemes(page)).toEqual([]);
    const navigation = page.getByRole('navigation', { name: 'Pages of the docs' });
    await navigation.getByRole('link', { name: 'Send a parcel' }).click();
    await page.getByRole('heading', { level: 1, name: 'Send a parcel' }).waitFor();
    await page.getByRole('link', { name: 'Previous' }).getByText('Get a parcel').waitFor();
    await page.getByRole('combobox').fill('bilby');
    const results = page.getByRole('region', { name: 'Search results' });
    await results.getByText('Get a parcel › GET /parcels/{id}').click();
    await page.getByRole('heading', { level: 1, name: 'Get a parcel' }).waitFor();
    expect(complaints).toEqual([]);
  }, 60_000);

  it('switches between languages and versions, to the same page', async () => {
    const { page, complaints } = member;
    ui.git('branch', 'many', 'main');
    commitAs(ui.repository, 'many', 'docs/docs.json', () =>
      JSON.stringify({
        name: 'Acme',
        navigation: {
          languages: [
            {
              language: 'en',
              versions: [
                { version: '2.0', pages: ['index', 'deliveries'] },
                { version: '1.0', pages: ['v1/index'] },
              ],
            },
            { language: 'zh', pages: ['zh/index'] },
          ],
        },
      }),
    );
    await page.goto(at('/docs?ref=%22many%22'));
    await page.getByRole('heading', { level: 1, name: 'Welcome', exact: true }).waitFor();
    const navigation = page.getByRole('navigation', { name: 'Pages of the docs' });
    expect(await navigation.getByRole('link').allInnerTexts()).toEqual(['Welcome', 'Deliveries']);
    await page.getByLabel('Version').selectOption('1.0');
    await page.getByRole('heading', { level: 1, name: 'Welcome to 1.0' }).waitFor();
    await navigation.getByRole('link', { name: 'Welcome to 1.0' }).waitFor();
    expect(await navigation.getByRole('link').count()).toBe(1);
    await page.getByLabel('Language').selectOption('Chinese');
    await page.getByRole('heading', { level: 1, name: '欢迎' }).waitFor();
    await navigation.getByRole('link', { name: '欢迎' }).waitFor();
    await page.getByLabel('Language').selectOption('English');
    await page.getByRole('heading', { level: 1, name: 'Welcome', exact: true }).waitFor();
    expect(complaints).toEqual([]);
    await page.goto(at());
  }, 60_000);

  it('draws components by a list of its own, and names the others', async () => {
    const { page, complaints } = member;
    await page.goto(at('/docs/components'));
    await article().getByRole('note', { name: 'Note' }).getByText('Take care.').waitFor();
    await article().getByRole('note', { name: 'Mind the gap' }).getByText('It is wide.').waitFor();
    await article().getByRole('link', { name: 'Send a parcel' }).click();
    await page.getByRole('heading', { level: 1, name: 'Deliveries' }).waitFor();
    await page.goBack();
    await article().getByRole('tab', { name: 'Python' }).waitFor();
    expect(await article().getByText('pip install acme').isVisible()).toBe(false);
    await article().getByRole('tab', { name: 'JavaScript' }).focus();
    await page.keyboard.press('ArrowRight');
    await article().getByText('pip install acme').waitFor();
    await article().getByText('Weigh it').waitFor();
    await article().getByText('Where is it made?').click();
    await article().getByText('On the moon.').waitFor();
    await article().getByText('Who flies it?', { exact: true }).click();
    await article().getByText('Nobody.').waitFor();
    await article().getByText('parcel_id').waitFor();
    await article().getByText('OrderForm').waitFor();
    await article().getByText('Inside an unknown one.').waitFor();
    await article().getByText('What each of them costs.').waitFor();
    await article().getByText('The quota of zebrafish is nine.').waitFor();
    await article().getByRole('tab', { name: 'Linux' }).click();
    await article().getByText('On a penguin.').waitFor();
    expect(await article().getByText('{new Date().getFullYear()}').count()).toBe(1);
    await page.goto(at('/docs/boxes'));
    for (const name of ['Docusaurus', 'VitePress', 'MkDocs', 'MyST', 'Important'])
      await article().getByRole('note', { name, exact: true }).waitFor();
    await article().getByText('Folded away').click();
    await article().getByText('Not any more.').waitFor();
    expect(complaints).toEqual([]);
  }, 90_000);

  it('runs no script of a page and sends no request elsewhere', async () => {
    const { page, complaints } = member;
    for (const name of ['hostile', 'hostile-mdx']) {
      const requested: string[] = [];
      page.on('request', request => requested.push(request.url()));
      await page.goto(at(`/docs/${name}`));
      await article().getByText('The end of it.').waitFor();
      await article().getByText('Click here').first().click();
      await page.waitForTimeout(300);
      expect(await page.evaluate('globalThis.ran')).toBeUndefined();
      expect(requested.filter(url => !url.startsWith(ui.baseUrl))).toEqual([]);
      const handlers = await article().evaluate(element =>
        [...element.querySelectorAll('*')].flatMap(each =>
          [...each.attributes]
            .filter(
              ({ name: key, value }) => /^on|^srcdoc$/.test(key) || /^\s*javascript:/i.test(value),
            )
            .map(({ name: key }) => `${each.tagName} ${key}`),
        ),
      );
      expect(handlers).toEqual([]);
      expect(
        await article()
          .locator('script, style, iframe, object, embed, form, svg:not(.icon)')
          .count(),
      ).toBe(await article().locator('button svg, .callout-title svg').count());
    }
    expect(complaints).toEqual([]);
  }, 60_000);

  it('runs nothing of a page, a title, a branch or a comment in review and preview', async () => {
    const { page, complaints } = member;
    const payload = '<img src="x" onerror="ran=1" />';
    const branch = 'docent/"><img/src=x/onerror=ran=1>';
    ui.git('branch', branch, 'main');
    for (const name of ['hostile.md', 'hostile-mdx.mdx'])
      commitAs(ui.repository, branch, `docs/${name}`, text =>
        text.replace('The end of it.', `The very end. ${payload}`),
      );
    const opened = await fetch(`${ui.baseUrl}/git/docs/pulls`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${ui.config.LOCAL_HOST_TOKEN}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        ...{ title: payload, body: `${payload} [x](javascript:ran=1)`, head: branch, base: 'main' },
        draft: false,
      }),
    });
    const pull = (await opened.json()) as { number: number; url: string };
    const job = await ui.create(`${payload} Write a poem.`);
    await ui.rest(job.id);
    await ui.pool.query('update local_pull_requests set job_id = $1 where number = $2', [
      job.id,
      pull.number,
    ]);
    await callAs(page, 'POST', `/projects/${ui.project.id}/jobs/${job.id}/comments`, {
      ...{ file: 'docs/hostile.md', line: null, quote: payload, text: payload },
    });
    const isHarmless = async () => {
      await page.waitForTimeout(300);
      expect(await page.evaluate('globalThis.ran')).toBeUndefined();
      const found = page.locator('main').locator('script, iframe, object, form[action], [onerror]');
      expect(await found.count()).toBe(0);
    };
    await page.goto(at(`/pulls/${pull.number}`));
    await page.getByRole('heading', { level: 1, name: payload }).waitFor();
    await page
      .getByRole('article', { name: /^Comment by/ })
      .first()
      .waitFor();
    await page.getByRole('region', { name: 'Changes in docs/hostile.md' }).waitFor();
    await isHarmless();
    await page.getByRole('button', { name: 'Page', exact: true }).click();
    for (const file of ['docs/hostile.md', 'docs/hostile-mdx.mdx'])
      await page
        .getByRole('region', { name: `Page ${file}` })
        .getByText('very')
        .first()
        .waitFor();
    await isHarmless();
    await page.getByRole('button', { name: 'Source', exact: true }).click();
    await page.goto(at(`/docs/hostile?ref=${encodeURIComponent(JSON.stringify(branch))}`));
    await article().getByText('The very end.').waitFor();
    await isHarmless();
    await page.goto(pull.url);
    await page.getByText('The very end.').first().waitFor();
    await isHarmless();
    await page.goto(at());
    expect(complaints).toEqual([]);
  }, 90_000);

  it('serves images only by their bytes, and pages only to members', async () => {
    const { page } = member;
    const fetched = async (file: string) =>
      page.evaluate(
        async url => {
          const response = await fetch(url);
          return [response.status, response.headers.get('content-type')];
        },
        `/api/dashboard/projects/${ui.project.id}/site/image?path=${encodeURIComponent(file)}`,
      );
    expect(await fetched('docs/images/rocket.gif')).toEqual([200, 'image/gif']);
    expect((await fetched('docs/images/evil.svg'))[0]).toBe(404);
    expect((await fetched('docs/index.md'))[0]).toBe(404);
    expect((await fetched('../../etc/passwd'))[0]).toBe(404);
    const stranger = await ui.visitor();
    const answer = await stranger.page.request.get(`/api/dashboard/projects/${ui.project.id}/site`);
    expect(answer.status()).toBe(401);
    expect((await stranger.page.request.get('/api/dashboard/sites/acme')).status()).toBe(404);
  }, 60_000);

  slowly(
    'previews the branch of a job',
    async () => {
      const { page, complaints } = member;
      const { id } = await ui.create('Append the line "Bring a helmet." to docs/index.md');
      await ui.rest(id);
      await page.goto(at('/pulls'));
      await page.getByRole('link', { name: /index/ }).click();
      await page.getByRole('link', { name: 'The docs with these changes' }).click();
      await page.getByText('Preview of the branch').waitFor();
      await article().getByText('Bring a helmet.').waitFor();
      await article().getByRole('link', { name: 'returns' }).click();
      await page.getByRole('heading', { level: 1, name: 'Deliveries' }).waitFor();
      await page.getByText('Preview of the branch').waitFor();
      await page.goto(at('/docs'));
      await page.getByRole('heading', { level: 1, name: 'Welcome' }).waitFor();
      expect(await article().getByText('Bring a helmet.').count()).toBe(0);
      await page.goto(at('/docs/nowhere'));
      await page.getByText('There is no such page in these docs.').waitFor();
      expect(complaints).toEqual([]);
    },
    120_000,
  );

  it('has the assistant at its side, whose sources lead back into it', async () => {
    const { page, complaints } = member;
    await indexSite(ui, page);
    await page.goto(at('/docs'));
    await page.getByRole('button', { name: 'Ask the assistant' }).click();
    const assistant = page.getByRole('region', { name: 'Assistant' });
    await assistant.getByLabel('Question').fill('How do I return a parcel?');
    await assistant.getByRole('button', { name: 'Ask' }).click();
    await assistant.getByRole('list', { name: 'Sources' }).getByRole('link').first().click();
    await page.getByRole('heading', { level: 1, name: 'Deliveries' }).waitFor();
    await assistant.locator('.prose').getByText('within 30 days').waitFor();
    expect(complaints).toEqual([]);
  }, 90_000);
});

describe('docs for everybody', () => {
  it('shows Docent’s own at /docs, without an account', async () => {
    const { page, complaints } = await ui.visitor();
    await page.goto('/docs');
    await page.getByRole('heading', { level: 1, name: 'Docent' }).waitFor();
    await page
      .getByRole('navigation', { name: 'Pages of the docs' })
      .getByRole('link', { name: 'Quickstart' })
      .click();
    await page.waitForURL(/\/docs\/quickstart$/);
    await page.getByRole('heading', { level: 1, name: 'Quickstart' }).waitFor();
    expect(await findingsInBothThemes(page)).toEqual([]);
    // A page that has moved: its site redirects it, to a heading of another page.
    await page.goto('/docs/agent/rewind');
    await page.getByRole('heading', { level: 1, name: 'Scripts, Temporal signals' }).waitFor();
    await page.waitForFunction('document.activeElement?.id === "rewind-a-job"');
    await page.goto('/docs/operate/security');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await findingsInBothThemes(page)).toEqual([]);
    expect(complaints).toEqual([]);
  }, 90_000);

  it('comes as HTML that is read without scripts, with a sitemap, and asks the assistant', async () => {
    await ui.pool.query('update projects set public = true where id = $1', [ui.project.id]);
    const read = async (path: string) => {
      const response = await fetch(`${ui.baseUrl}${path}`);
      return { status: response.status, text: await response.text() };
    };
    const { status, text } = await read('/sites/acme/deliveries');
    expect(status).toBe(200);
    expect(text).toContain('<title>Deliveries · Docs</title>');
    expect(text).toContain(`<link rel="canonical" href="${ui.baseUrl}/sites/acme/deliveries">`);
    expect(text).toMatch(/<h2 id="return-a-parcel">Return a parcel<\/h2>/);
    expect(text).toContain('A parcel can be returned within 30 days.');
    const home = await read('/sites/acme');
    expect(home.text).toContain('<meta name="description" content="What Acme is">');
    expect(home.text).toContain('href="/sites/acme/deliveries#return-a-parcel"');
    const missing = await read('/sites/acme/nowhere');
    expect([missing.status, missing.text]).toEqual([404, expect.stringContaining('noindex')]);
    expect((await read('/sites/none')).status).toBe(404);
    expect((await read('/sites/acme/internal')).status).toBe(404);
    const sitemap = await read('/sites/acme/sitemap.xml');
    expect(sitemap.text).toContain(`<loc>${ui.baseUrl}/sites/acme/deliveries</loc>`);
    expect(sitemap.text).not.toContain('internal');

    const quiet = await ui.visitor({ javaScriptEnabled: false });
    for (const name of ['hostile', 'hostile-mdx']) {
      await quiet.page.goto(`/sites/acme/${name}`);
      await quiet.page.getByText('The end of it.').waitFor();
      const found = quiet.page.locator('main').locator('script, iframe, object, form, style, svg');
      expect(await found.count()).toBe(0);
      const source = (await read(`/sites/acme/${name}`)).text;
      expect(source.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/<[^>]*\s(?:on\w+|srcdoc)\s*=/i);
      expect(source).not.toMatch(/(?:href|src)="(?:javascript|data):/i);
    }
    expect(quiet.complaints).toEqual([]);

    const { page, complaints } = await ui.visitor();
    await page.goto('/sites/acme');
    await page.locator('docent-assistant').waitFor({ state: 'attached' });
    const ask = (domain: string) =>
      fetch(`${ui.baseUrl}/api/dashboard/sites/${domain}/assistant`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: ui.baseUrl },
        body: JSON.stringify({
          messages: [
            { role: 'user', parts: [{ type: 'text', text: 'How do I return a parcel?' }] },
          ],
        }),
      });
    const answer = await ask('acme');
    expect([answer.status, await answer.text()]).toEqual([
      200,
      expect.stringContaining('/sites/acme/deliveries'),
    ]);
    await ui.pool.query('update projects set public = false where id = $1', [ui.project.id]);
    expect((await ask('acme')).status).toBe(404);
    expect(complaints).toEqual([]);
  }, 90_000);

  it('shows a public project’s docs, but no page for groups', async () => {
    const { page, complaints } = await ui.visitor();
    await ui.pool.query('update projects set public = true where id = $1', [ui.project.id]);
    await page.goto('/sites/acme');
    await page.getByRole('heading', { level: 1, name: 'Welcome' }).waitFor();
    const navigation = page.getByRole('navigation', { name: 'Pages of the docs' });
    await navigation.getByText('Other').click();
    await navigation.getByRole('link', { name: 'Boxes' }).waitFor();
    expect(await navigation.getByRole('link', { name: 'Internal' }).count()).toBe(0);
    await page.goto('/sites/acme/internal');
    await page.getByText('There is no such page in these docs.').waitFor();
    await ui.pool.query(`update limit_counts set n = 1000000 where scope = 'address'`);
    for (const domain of ['acme', '-'])
      expect((await fetch(`${ui.baseUrl}/api/dashboard/sites/${domain}`)).status).toBe(429);
    await ui.pool.query('delete from limit_counts');
    expect(complaints).toEqual([]);
  }, 60_000);

  slowly(
    'has no serious accessibility finding',
    async () => {
      const { page } = member;
      for (const path of ['/docs/components', '/docs/boxes', '/docs/deliveries']) {
        await page.goto(at(path));
        await article().getByRole('heading', { level: 1 }).waitFor();
        expect(await findingsInBothThemes(page)).toEqual([]);
      }
    },
    90_000,
  );
});
