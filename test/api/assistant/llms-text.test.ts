import { startAssistant, type TestAssistant } from './harness.ts';

const PAGES = {
  'docs/docs.json': JSON.stringify({
    navigation: {
      languages: [
        { language: 'en', pages: ['zebra', 'guides/alpha', 'hidden', 'staff'] },
        { language: 'fr', pages: ['fr/zebra'] },
      ],
    },
  }),
  'docs/index.md': '---\ntitle: Home\ndescription: All about animals.\n---\n\nWelcome.\n',
  'docs/zebra.md':
    '---\ntitle: "Zebra [wild]"\ndescription: Stripes.\n---\n\nA zebra.\n\n' +
    '<Visibility for="humans">Click here.</Visibility>\n\n' +
    '<Visibility for="agents">Call the API.</Visibility>\n',
  'docs/guides/alpha.mdx':
    '---\ntitle: Alpha\n---\n\nimport Gone from "./gone";\n\nexport const gone = 1;\n\n# Alpha\n\n' +
    'The first: [zebras](../zebra.md#x), [b](./none).\n\n{/* secret */}\n\n' +
    '```js\nimport kept from "kept";\n```\n',
  'docs/hidden.md': '---\ntitle: Hidden\nhidden: true\n---\n\nNot listed.\n',
  'docs/staff.md': '---\ntitle: Staff\ngroups: [staff]\n---\n\nThe salary.\n',
  'docs/fr/zebra.md': '---\ntitle: Zèbre\n---\n\nUn zèbre.\n',
};

let assistant: TestAssistant;
let base: string;
beforeAll(async () => {
  assistant = await startAssistant([], {}, PAGES);
  base = `${assistant.url}/discovery/v1/${assistant.project.domain}`;
  await assistant.pool.query('update projects set public = true, site_url = null');
});
afterAll(() => assistant.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${base}/${path}`, { headers });
const withKey = () => ({ authorization: `Bearer ${assistant.key}` });

describe('the site as Markdown', () => {
  it('llms.txt lists what everybody may read, in the order of the navigation', async () => {
    const answer = await get('llms.txt');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/markdown; charset=utf-8',
    ]);
    const [head = '', list = ''] = (await answer.text()).split('## Docs\n\n');
    expect(head).toBe(`# ${assistant.project.name}\n\n> All about animals.\n\n`);
    const at = `discovery/v1/${assistant.project.domain}`;
    const links = list.trim().split('\n');
    expect(
      links.map(link => /^- \[(.*)\]\(.*?\/([\w/-]+\.md)\)(.*)$/.exec(link)?.slice(1)),
    ).toEqual([
      ['Home', `${at}/index.md`, ': All about animals.'],
      ['Zebra \\[wild\\]', `${at}/zebra.md`, ': Stripes.'],
      ['Alpha', `${at}/guides/alpha.md`, ''],
    ]);
    for (const link of links) {
      const path = /\/discovery\/v1\/[^/]+\/([^)]+)\)/.exec(link)?.[1] ?? 'none';
      expect((await get(path)).status).toBe(200);
    }
  });

  it('llms-full.txt has every page of the list, and a page is there by its path', async () => {
    const full = await (await get('llms-full.txt')).text();
    expect(full).toMatch(/# Zebra \[wild\]\nSource: http.*\/zebra\n\n> Stripes\.\n\nA zebra\.\n/);
    expect(full).toContain('Call the API.');
    for (const secret of ['Click here.', 'salary', 'Not listed', 'zèbre'])
      expect(full).not.toContain(secret);
    const page = await get('guides/alpha.md');
    const written = await page.text();
    expect(written).toMatch(
      /^# Alpha\nSource: http.*\/guides\/alpha\n\nThe first: \[zebras\]\(http.*\/zebra\.md#x\), \[b\]\(\.\/none\)\.\n/,
    );
    expect(written).toContain('```js\nimport kept from "kept";\n```');
    expect(written).not.toMatch(/gone|secret/);
    expect(page.headers.get('link')).toBe(`<${page.headers.get('x-llms-txt')}>; rel="llms-txt"`);
    expect(page.headers.get('x-llms-txt')).toMatch(/\/llms\.txt$/);
    expect(await (await get('fr/zebra.md')).text()).toContain('Un zèbre.');
    for (const path of ['staff.md', 'none.md', 'zebra', 'zebra.html'])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    expect((await get('staff.md', withKey())).status).toBe(404);
  });

  it('is not sent again as long as nothing changes', async () => {
    for (const path of ['llms.txt', 'llms-full.txt', 'zebra.md']) {
      const first = await get(path);
      const etag = first.headers.get('etag') ?? '';
      expect(first.headers.get('cache-control')).toBe('public, max-age=300');
      const again = await get(path, { 'if-none-match': etag });
      expect([again.status, await again.text()]).toEqual([304, '']);
    }
    const etag = (await get('llms.txt')).headers.get('etag') ?? '';
    await assistant.pool.query('update search_indexes set built_at = now()');
    expect((await get('llms.txt', { 'if-none-match': etag })).status).toBe(200);
  });

  it('links to the site if its address is known', async () => {
    await assistant.pool.query(`update projects set site_url = 'https://docs.example.org'`);
    const answer = await get('llms.txt');
    expect(await answer.text()).toContain('](https://docs.example.org/zebra.md): Stripes.');
    expect(answer.headers.get('x-llms-txt')).toBe('https://docs.example.org/llms.txt');
  });

  it('needs a key of this domain if the project is not public', async () => {
    await assistant.pool.query('update projects set public = false');
    for (const path of ['llms.txt', 'llms-full.txt', 'zebra.md']) {
      expect((await get(path)).status).toBe(401);
      const answer = await get(path, withKey());
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([
        200,
        'private, max-age=300',
      ]);
    }
    // A domain that does not exist looks the same.
    expect((await fetch(`${assistant.url}/discovery/v1/nobody/llms.txt`)).status).toBe(401);
    const other = await fetch(`${assistant.url}/discovery/v1/nobody/llms.txt`, {
      headers: withKey(),
    });
    expect(other.status).toBe(404);
    const wrong = await get('llms.txt', { authorization: 'Bearer svc_dsc_nothing' });
    expect(wrong.status).toBe(401);
  });

  it('waits for the first index, and stays below 100,000 characters', async () => {
    await assistant.pool.query('update search_indexes set complete = false');
    const early = await get('llms.txt', withKey());
    expect([early.status, early.headers.get('retry-after')]).toEqual([503, '10']);
    await assistant.pool.query('update search_indexes set complete = true');
    await assistant.pool.query(
      `insert into search_pages (project_id, path, key, live, searchable, title, boost, content,
                                 description)
       select p.project_id, '/many-' || n, 'x', true, true, 'Page ' || n, 1, 'Text',
              repeat('word ', 20)
         from search_pages p, generate_series(1, 2000) as n where p.path = '/zebra' and p.live`,
    );
    const long = await (await get('llms.txt', withKey())).text();
    expect(long.length).toBeGreaterThan(90_000);
    expect(long.length).toBeLessThanOrEqual(100_000);
    expect(long.endsWith('\n')).toBe(true);
    expect(
      (await (await get('llms-full.txt', withKey())).text()).match(/^Source: /gm),
    ).toHaveLength(2_003);
  });
});
