import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { docent, temporaryFolder } from '../support/docent.ts';
import { testProgram } from '../support/services.ts';
import { valeProgram } from '../support/vale.ts';

describe('docent check', () => {
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

  it('ends with 0 if nothing is wrong', async () => {
    write({ 'mkdocs.yml': 'site_name: X\n', 'docs/index.md': '# X' });
    expect(await check()).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^MkDocs in docs: 1 page\nNo problems found\.\nNot known: .*\n$/,
      ),
      stderr: '',
    });
  });

  it('ends with 1 and names each error with its place', async () => {
    write({ 'mkdocs.yml': 'site_name: X\n', 'docs/index.md': '# X\n\n[a](gone.md)' });
    const { code, stdout, stderr } = await check();
    expect([code, stderr]).toEqual([1, '1 error found.\n']);
    expect(stdout).toContain('error  docs/index.md:3  link gone.md: gone.md does not exist.');
  });

  it('follows symbolic links within the folder, and no others', async () => {
    write({
      'mkdocs.yml': 'site_name: X\nnav: [index.md, changelog.md]\n',
      'docs/index.md': '[a](changelog.md)\n[b](img/a.png)\n[c](out/passwd)\n[d](loop/index.md)\n',
      'CHANGELOG.md': '# Changes\n\n[e](gone.md)\n',
      'assets/a.png': '',
    });
    const links = { changelog_md: '../CHANGELOG.md', img: '../assets', out: '/etc', loop: '..' };
    for (const [name, target] of Object.entries(links))
      symlinkSync(target, join(folder, 'docs', name.replace('_', '.')));
    const { code, stdout } = await check();
    expect([code, stdout.match(/^error .*? does not/gm)]).toEqual([
      1,
      [
        'error  docs/changelog.md:3  link gone.md: gone.md does not',
        'error  docs/index.md:3  link out/passwd: out/passwd does not',
        'error  docs/index.md:4  link loop/index.md: loop/index.md does not',
      ],
    ]);
  });

  it('reports prose by the rules of .vale.ini, or that Vale is missing', async () => {
    write({
      '.vale.ini': 'StylesPath = styles\n[*.md]\nBasedOnStyles = House\n',
      'styles/House/Simple.yml': 'extends: existence\nmessage: "No %s."\ntokens:\n  - utilize\n',
      'docs/guide.md': '# Guide\n\nWe utilize it.\n',
      'mkdocs.yml': 'site_name: X\n',
    });
    const missing = { VALE_PATH: join(folder, 'none') };
    const { code, stdout } = await docent(folder, ['check', folder], missing);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/\nwarning {2}\.vale\.ini {2}prose: The prose was not checked\. /),
    ]);
    expect((await docent(folder, ['check', folder, '--no-prose'], missing)).stdout).toContain(
      'No problems found.',
    );
    const vale = valeProgram();
    if (vale === undefined) return;
    const found = await docent(folder, ['check', folder], { VALE_PATH: vale });
    expect(found.stdout).toContain('\nwarning  docs/guide.md:3  prose: House.Simple: No utilize.');
    const doctor = await docent(folder, ['doctor'], { VALE_PATH: vale });
    expect(doctor.stdout).toMatch(/ok +Vale +3\.22\.0, /);
  }, 60_000);

  it('ends with 2 for an option that does not exist', async () => {
    expect((await check('--nope')).code).toBe(2);
  });

  it('prints exactly the documented members as JSON; anchors only on demand', async () => {
    write({ 'a.md': '# A\n\n## One\n\n[b](b.md)' });
    const plain = await check('--json');
    const members = ['kind', 'docsFolder', 'basePath', 'pages', 'navigation', 'redirects'];
    const read = JSON.parse(plain.stdout) as Record<string, Record<string, unknown>[]>;
    expect([plain.code, plain.stderr]).toEqual([1, '']);
    expect(Object.keys(read)).toEqual([...members, 'complete', 'unread', 'findings']);
    expect(Object.keys(read.pages?.[0] ?? {})).toEqual([
      'file',
      'path',
      'url',
      'language',
      'version',
      'inNavigation',
      'title',
      'crumbs',
      'draft',
    ]);
    expect(Object.keys(read.findings?.[0] ?? {}).toSorted()).toEqual(
      ['rule', 'file', 'line', 'link', 'message', 'severity'].toSorted(),
    );
    const { stdout } = await check('--json', '--anchors');
    expect(JSON.parse(stdout)).toMatchObject({ anchors: { '/a': ['a', 'one'] } });
  });

  it('reports with --all what the own build does not check, as warnings', async () => {
    write({ '.vitepress/config.ts': 'export default {};', 'a.md': '# A\n\n[b](#none)' });
    expect((await check()).stdout).toContain('No problems found.');
    const all = await check('--all');
    expect(all.code).toBe(0);
    expect(all.stdout).toContain('warning  a.md:3  anchor #none');
  });

  it('escapes annotations for GitHub Actions', async () => {
    write({ 'a,b.md': '# A\n\n[x](100%25:y.md)' });
    const { stdout, code } = await check('--format', 'github');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^::error file=a%2Cb\.md,line=3,title=link::100%25/);
  });

  it('uses --kind, and names what was found if there is no such site', async () => {
    write({ 'mkdocs.yml': 'site_name: X\n', 'docs/a.md': '# A' });
    expect((await check('--kind', 'folder')).stdout).toContain('a plain folder in docs');
    expect(await check('--kind', 'hugo')).toMatchObject({
      code: 2,
      stderr: `${folder} contains no hugo site. Found: mkdocs, folder.\n`,
    });
  });

  it.each([
    ['no pages', 'x.txt', 'contains no docs: no Markdown pages were found.'],
    [
      'reStructuredText',
      'a.rst',
      'contains only reStructuredText pages, which are not read yet. --built DIR judges by their HTML.',
    ],
    [
      'AsciiDoc',
      'docs/a.adoc',
      'contains only AsciiDoc pages, which are not read yet. --built DIR judges by their HTML.',
    ],
  ])('answers in one sentence: %s', async (_, file, sentence) => {
    write({ [file]: 'Text\n====\n' });
    expect(await check()).toEqual({ code: 2, stdout: '', stderr: `${folder} ${sentence}\n` });
  });

  it('says that there is no such folder', async () => {
    const { code, stderr } = await docent(folder, ['check', join(folder, 'none')]);
    expect([code, stderr]).toEqual([2, `There is no folder ${join(folder, 'none')}.\n`]);
  });

  it('checks 1,000 pages, and stops quietly if its reader does', async () => {
    write(
      Object.fromEntries(
        Array.from({ length: 1000 }, (_, n) => [
          `docs/s${n % 20}/p${n}.md`,
          `# Page ${n}\n\n[next](../s${(n + 1) % 20}/p${n + 1}.md)\n[gone](gone-${n}.md)\n`,
        ]),
      ),
    );
    const { stdout, stderr } = await check('--json');
    const read = JSON.parse(stdout) as { pages: unknown[]; findings: unknown[] };
    // The last page has no next one.
    expect([read.pages.length, read.findings.length, stderr]).toEqual([1000, 1001, '']);
    const line = `"$0" "$1" check "$2" | head -1; exit \${PIPESTATUS[0]}`;
    const args = ['-c', line, process.execPath, testProgram('docent'), folder];
    const piped = spawnSync('bash', args, { encoding: 'utf8' });
    expect(piped.stdout).toBe('a plain folder in docs: 1,000 pages\n');
    expect(piped.stderr).not.toContain('EPIPE');
  });
});
