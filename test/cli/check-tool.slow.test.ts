import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { docent, temporaryFolder } from '../support/docent.ts';

/** The check as a tool of its own: formats, what it leaves out, what it compares with. */
describe('docent check as a tool', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (files: Record<string, string>): void => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  };
  const check = (...args: string[]) => docent(folder, ['check', folder, ...args]);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args], { cwd: folder });
  const commit = (): void => {
    git('add', '-A');
    git('commit', '-qm', 'x');
  };
  const places = (stdout: string) => stdout.match(/(?<=^(?:error|warning) {2})\S+/gm) ?? [];

  it('shows three examples in its help', async () => {
    const { stdout } = await docent(folder, ['check', '--help']);
    expect(stdout.match(/^ {2}docent check\b/gm)).toHaveLength(3);
  });

  it.each([
    [['--kind', 'nope'], 'Allowed choices are docs.json'],
    [['--format', 'yaml'], 'Allowed choices are text, json'],
    [['--json', '--format', 'sarif'], 'cannot be used with'],
    [['--every-site', '--config', 'x'], 'cannot be used with'],
    [['--update-baseline'], '--update-baseline needs --baseline FILE.'],
    [['--baseline', '/'], 'A file cannot be read or written: EISDIR'],
    [['--update-baseline', '--baseline', 'x', '--changed', 'x'], 'leave out --changed'],
    [['--baseline', '/nowhere.json'], 'There is no baseline /nowhere.json.'],
    [['--config', 'mkdocs.yml'], 'There is no configuration mkdocs.yml in the folder.'],
    [['--changed', 'main'], 'git knows no branch or commit main here.'],
    [['--built', 'http://example.com/'], 'a server on this machine'],
    [['--built', 'http://127.0.0.1:1/%'], 'does not answer with an HTML page'],
    [['--built', '/nowhere'], 'There is no folder /nowhere with a built site.'],
  ])('ends with 2 for wrong use: %j', async (args, sentence) => {
    write({ 'a.md': '# A\n' });
    const { code, stderr } = await check(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
  });

  it.each([
    ['a book without a summary', { 'book.toml': '[book]\ntitle = "x"\n' }, 'mdBook (book.toml)'],
    ['a configuration with a fault', { 'mkdocs.yml': 'a: [\n' }, 'MkDocs (mkdocs.yml)'],
    ['settings that do not exist', { '.docent-check.yml': 'kinds: x\n', 'a.md': '' }, '"kinds"'],
    ['a wrong kind', { '.docent-check.yml': 'kind: x\n', 'a.md': '' }, '"kind" must be one of'],
    ['a wrong rule', { '.docent-check.yml': 'ignore: [{path: x}]\n', 'a.md': '' }, '"ignore"'],
  ])('ends with 2 where nothing can be read: %s', async (_, files, sentence) => {
    write(files);
    const { code, stdout, stderr } = await check();
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(sentence)]);
  });

  it('reports only what a branch breaks, in files that it does not touch, too', async () => {
    write({
      'mkdocs.yml': 'site_name: X\n',
      'docs/a.md': '[x](gone.md)\n[b](b.md)\n',
      'docs/b.md': '# B\n',
    });
    git('init', '-qb', 'main');
    commit();
    git('checkout', '-qb', 'work');
    rmSync(join(folder, 'docs/b.md'));
    write({ 'docs/new.md': '[y](nothing.md)\n', 'docs/a.md': '\n[x](gone.md)\n[b](b.md)\n' });
    expect(places((await check()).stdout)).toEqual(['docs/a.md:2', 'docs/a.md:3', 'docs/new.md:1']);
    const work = await check('--changed', 'main');
    expect([work.code, places(work.stdout)]).toEqual([1, ['docs/a.md:3', 'docs/new.md:1']]);
    commit();
    // What main does meanwhile is not the branch's.
    git('checkout', '-q', 'main');
    rmSync(join(folder, 'docs/a.md'));
    commit();
    git('checkout', '-q', 'work');
    expect((await check('--changed', 'main')).stdout).toBe(work.stdout);
    // What git cannot list has not stayed as it was.
    write({ '.git/index': 'none' });
    expect(await check('--changed', 'main')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('git cannot say what has changed'),
    });
  });

  it('reports links to a page that a branch deletes by the built site, too', async () => {
    write({ 'a.md': '[x](b)\n', 'b.md': '# B\n', 'c.md': '# C\n', '.gitignore': '/out\n' });
    git('init', '-qb', 'main');
    commit();
    write({ 'c.md': '# D\n', 'out/a.html': '<a href=b>', 'out/c.html': '' });
    const built = () => check('--changed', 'main', '--built', join(folder, 'out'));
    expect(places((await built()).stdout)).toEqual([]);
    rmSync(join(folder, 'b.md'));
    expect(places((await built()).stdout)).toEqual(['a.md:1']);
  });

  it('leaves out what a baseline has, however often lines move', async () => {
    write({ 'a.md': '[x](x.md)\n[x](x.md)\n[y](y.md)\n' });
    const baseline = join(folder, 'known.json');
    expect(await check('--baseline', baseline, '--update-baseline')).toMatchObject({
      code: 0,
      stdout: '',
    });
    write({ 'a.md': '\n[x](x.md)\n[x](x.md)\n\n[x](x.md)\n' });
    const { code, stdout } = await check('--baseline', baseline);
    expect([code, places(stdout)]).toEqual([1, ['a.md:5']]);
    expect(stdout).toContain('1 problem of ');
    write({ 'a.md': '# A\n', 'known.json': '[]' });
    expect((await check('--baseline', baseline)).code).toBe(2);
  });

  it('takes a baseline of its settings file from the folder, and none from elsewhere', async () => {
    write({ 'docs/a.md': '[x](x.md)\n', '.docent-check.yml': 'baseline: docs/known.json\n' });
    expect((await check('--update-baseline')).stderr).toContain('docs/known.json has 1 problem.');
    expect(readFileSync(join(folder, 'docs/known.json'), 'utf8')).toContain('x.md');
    expect((await check()).code).toBe(0);
    symlinkSync('/tmp', join(folder, 'away'));
    for (const name of [join(folder, 'x.json'), '../x.json', 'away/x.json', '.git/config']) {
      write({ '.docent-check.yml': `baseline: ${name}\n` });
      const { code, stderr } = await check('--update-baseline');
      expect([code, stderr]).toEqual([2, expect.stringContaining('must be a file of the folder')]);
    }
  });

  it('obeys comments, patterns and its settings file', async () => {
    write({
      'a.md': [
        '[a](a1.md) <!-- docent-check: ignore-line -->',
        '<!-- docent-check: ignore-next-line -->',
        '[b](b1.md)',
        '<!-- docent-check: off anchor -->',
        '[c](#c)',
        '[d](d1.md)',
        '<!-- docent-check: on -->',
        '[e](#e)',
      ].join('\n\n'),
      'b.md': '<!-- docent-check: ignore-file -->\n\n[x](x.md)\n',
      'old/c.md': '[x](x.md)\n',
      'd.md': '[x](/api/v1/x)\n[y](/api.md)\n',
    });
    const found = ['a.md:11', 'a.md:15', 'd.md:1', 'd.md:2', 'old/c.md:1'];
    expect(places((await check()).stdout)).toEqual(found);
    const some = await check('--ignore', 'old/**', '/api/**');
    expect(places(some.stdout)).toEqual(['a.md:11', 'a.md:15', 'd.md:2']);
    write({ '.docent-check.yml': 'ignore:\n  - old/**\n  - {file: d.md, rule: link}\n' });
    expect(places((await check()).stdout)).toEqual(['a.md:11', 'a.md:15']);
  });

  it('looks at nothing that git ignores, in a checkout and elsewhere', async () => {
    const files = {
      '.gitignore': 'venv/\n/build/*\n!/build/keep.md\n',
      'docs/a.md': '# A\n',
      'venv/lib/docs/conf.py': '',
      'venv/lib/docs/index.md': '[x](x.md)\n',
    };
    write(files);
    for (const isCheckout of [false, true]) {
      if (isCheckout) git('init', '-q');
      const { code, stdout } = await check();
      expect([code, stdout.split('\n')[0]]).toEqual([0, 'a plain folder in docs: 1 page']);
    }
  });

  it('names other sites, and checks one of any file name or all of them', async () => {
    write({
      'mkdocs.yml': 'site_name: X\ndocs_dir: en\n',
      'mkdocs-online.yml': 'site_name: X\ndocs_dir: online\n',
      'en/index.md': '[x](x.md)\n',
      'online/index.md': '[y](y.md)\n',
      'book/book.toml': '[book]\n',
      'book/src/SUMMARY.md': '[One](one.md)\n',
      'book/src/one.md': '[z](z.md)\n',
      'examples/mkdocs.yml': 'site_name: Y\n',
    });
    const first = await check();
    expect(first.stdout).toContain('Other sites here: book/book.toml (mdBook). Check one with');
    expect(places((await check('--config', 'mkdocs-online.yml')).stdout)).toEqual([
      'online/index.md:1',
    ]);
    expect(places((await check('--config', 'book/book.toml', '--all')).stdout)).toEqual([
      'book/src/one.md:1',
    ]);
    const all = JSON.parse((await check('--every-site', '--json')).stdout) as {
      sites: { kind: string }[];
    };
    expect(all.sites.map(({ kind }) => kind)).toEqual(['mkdocs', 'mdbook']);
  });

  it('prints JUnit and SARIF that keep what is hostile in names', async () => {
    const name = 'a & b<"%41>.md';
    write({ [name]: '[x](y%22<z>.md)\n\n[ok](#none)\n', 'fine.md': '# F\n' });
    const junit = await check('--format', 'junit', '--all');
    expect([junit.code, junit.stderr]).toEqual([1, '']);
    const escaped = 'a &amp; b&lt;&quot;%41&gt;.md';
    expect(junit.stdout.split('\n').slice(1, 5)).toEqual([
      '<testsuites name="docent-check" tests="3" failures="2" errors="0">',
      '<testsuite name="docent-check" tests="3" failures="2" errors="0" skipped="0">',
      '<testcase classname="fine.md" name="no problems"/>',
      `<testcase classname="${escaped}" name="link y&quot;&lt;z&gt;.md" file="${escaped}" line="1">` +
        `<failure type="link" message="y&quot;&lt;z&gt;.md does not exist.">` +
        `${escaped}:1: y&quot;&lt;z&gt;.md does not exist.</failure></testcase>`,
    ]);
    const { runs } = JSON.parse((await check('--format', 'sarif', '--all')).stdout) as Sarif;
    const [first, second] = runs[0]?.results ?? [];
    expect([first?.level, second?.level]).toEqual(['error', 'error']);
    const place = first?.locations[0]?.physicalLocation;
    expect(decodeURIComponent(place?.artifactLocation.uri ?? '')).toBe(name);
    expect(place?.region).toEqual({ startLine: 1 });
  });

  it('shows nothing that a terminal or the log of GitHub Actions would obey', async () => {
    const name = 'a\u001b[2J\u202e.md';
    write({
      [name]: '[x](gone%0A::stop-commands::x%1B[1m.md)\n\n[y](%23%23[stop-commands]x.md)\n',
    });
    const { stdout } = await check();
    expect(places(stdout)).toEqual(['a\ufffd[2J\ufffd.md:1', 'a\ufffd[2J\ufffd.md:3']);
    expect(stdout).toContain('gone\ufffd::stop-commands::x\ufffd[1m.md does not exist.');
    expect(stdout).not.toMatch(/^::|##\[|[\u001b\u202e]/m);
    write({ '.docent-check.yml': '"\\n::error::\\u202e": 1\n' });
    const wrong = await check();
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringContaining('no member "\ufffd::error::\ufffd", only'),
    ]);
  });

  describe('with --external', () => {
    let server: Server;
    const asked: string[] = [];
    beforeAll(async () => {
      server = createServer((request, response) => {
        asked.push(`${request.method} ${request.url}`);
        response.end();
      });
      await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
    });
    afterAll(() => new Promise(done => server.close(done)));

    it('asks for no address of this machine or of a private network', async () => {
      const { port } = server.address() as AddressInfo;
      write({
        'a.md': [`[a](http://127.0.0.1:${port}/a)`, `[b](http://localhost:${port}/b)`].join('\n'),
      });
      const { code, stdout } = await check('--external');
      expect([code, places(stdout), asked]).toEqual([0, [], []]);
    });
  });

  it('says in its last line what it does not know', async () => {
    write({
      'mkdocs.yml': 'site_name: X\nplugins: [macros]\n',
      'docs/index.md': '# X\n\n{{ x }}\n\n[a](#made)\n',
    });
    const { stdout } = await check();
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(
      /^Not known: .*whether 1 link to headings leads to one.*--built DIR judges by its HTML\.$/,
    );
    expect(readFileSync(join(folder, 'mkdocs.yml'), 'utf8')).toContain('macros');
  });
});

interface Sarif {
  runs: {
    results: {
      level: string;
      locations: {
        physicalLocation: { artifactLocation: { uri: string }; region?: { startLine: number } };
      }[];
    }[];
  }[];
}
