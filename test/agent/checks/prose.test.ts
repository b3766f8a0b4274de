import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkChangedProse } from '../../../agent/checks/prose.ts';
import type { Finding } from '../../../agent/checks/finding.ts';
import { openWorkspace } from '../../../agent/workspace.ts';
import { readProseRules } from '../../../agent/prose/prose-rules.ts';
import { checkProse } from '../../../agent/prose/check-prose.ts';
import { ProseError, runVale } from '../../../agent/prose/run-vale.ts';
import { parseSettings, writeSettings } from '../../../agent/prose/vale-settings.ts';
import { ruleProblem, styleFile } from '../../../agent/prose/vale-styles.ts';
import { temporaryFolder } from '../../support/docent.ts';
import { memorySnapshot } from '../../support/memory-snapshot.ts';
import { valeProgram } from '../../support/vale.ts';

const vale = valeProgram();
if (!vale) console.log('Vale is not built yet: SLOW=1 builds it. Its tests are not run.');
const withVale = vale ? describe : describe.skip;

const INI = [
  'StylesPath = styles',
  'MinAlertLevel = suggestion',
  '[*.{md,mdx}]',
  'BasedOnStyles = House',
  '',
].join('\n');
const SIMPLE = [
  'extends: existence',
  'message: "Avoid \'%s\'."',
  'level: warning',
  'ignorecase: true',
  'tokens:',
  '  - utilize',
  '  - leverage',
  '',
].join('\n');
const rule = (...lines: string[]): string =>
  ['extends: existence', 'message: "%s"', ...lines, ''].join('\n');
const FILES: Record<string, string> = {
  '.vale.ini': INI,
  'styles/House/Simple.yml': SIMPLE,
  'styles/House/Never.yml': rule('level: error', 'tokens:', '- foobar'),
  'styles/House/Maybe.yml': rule('level: suggestion', 'tokens: [perhaps]'),
  'docs/guide.md': '# Guide\n\nWe utilize it.\n\nThe end.\n',
};
const signal = new AbortController().signal;

async function check(
  files: Record<string, string>,
  edits: Record<string, string | null>,
  program: string | undefined = vale,
): Promise<Finding[]> {
  const snapshot = memorySnapshot(files);
  const workspace = openWorkspace(snapshot, new Map());
  for (const [path, text] of Object.entries(edits))
    if (text === null) workspace.remove(path);
    else workspace.write(path, text);
  return checkChangedProse(workspace, snapshot, 'docs', { program, signal });
}
const lines = (findings: Finding[]): string[] =>
  findings.map(one => `${one.severity} ${one.path}:${one.line ?? '-'} ${one.rule} ${one.message}`);

withVale('Vale over the pages that a job changed', () => {
  it('reports what is new, by rule and words, with its level', async () => {
    const changed =
      '# Guide\n\nAdded: foobar, perhaps.\n\nWe utilize it.\n\nAnd they utilize it.\n\nThe end.\n';
    expect(lines(await check(FILES, { 'docs/guide.md': changed }))).toEqual([
      'error docs/guide.md:3 prose House.Never: foobar',
      'suggestion docs/guide.md:3 prose House.Maybe: perhaps',
      "warning docs/guide.md:7 prose House.Simple: Avoid 'utilize'.",
    ]);
  });

  it('leaves what was there before, elsewhere in the page and in a page that moved', async () => {
    const moved = '# Guide\n\nThe beginning.\n\nWe utilize it.\n';
    expect(await check(FILES, { 'docs/guide.md': moved })).toEqual([]);
    expect(
      await check(FILES, { 'docs/guide.md': null, 'docs/new.md': FILES['docs/guide.md']! }),
    ).toEqual([]);
  });

  it('keeps the rules of the base, whatever a job writes', async () => {
    const edits = {
      '.vale.ini': 'StylesPath = styles\n[*]\nBasedOnStyles =\n',
      'styles/House/Simple.yml': rule('tokens:', '  - nothing'),
      'docs/page.mdx': '# Page\n\n<Note title="x">Leverage {1 + 1}.</Note>\n',
    };
    expect(lines(await check(FILES, edits))).toEqual([
      "warning docs/page.mdx:3 prose House.Simple: Avoid 'Leverage'.",
    ]);
  });

  it('names styles that are not in the repository, and applies the others', async () => {
    const files = { ...FILES, '.vale.ini': INI.replace('House', 'Google, House') };
    expect(lines(await check(files, { 'docs/guide.md': 'We leverage it.\n' }))).toEqual([
      'warning .vale.ini:- prose Google is not in the repository, so it was not applied. ' +
        'Packages are not downloaded: commit the style.',
      "warning docs/guide.md:1 prose House.Simple: Avoid 'leverage'.",
    ]);
  });

  it('finds the rules of the docs folder first, whose patterns count from there', async () => {
    const files = {
      ...FILES,
      'docs/.vale.ini': 'StylesPath = ../house\n[*.md]\nBasedOnStyles = Own\n',
      'house/Own/Own.yml': rule('tokens:', '  - end'),
    };
    expect(lines(await check(files, { 'docs/guide.md': 'The end, foobar.\n' }))).toEqual([]);
    expect(lines(await check(files, { 'docs/new.md': 'The end, foobar.\n' }))).toEqual([
      'warning docs/new.md:1 prose Own.Own: end',
    ]);
  });

  it('gives the programs of rules no file and no connection', async () => {
    const script = (...body: string[]) =>
      ['extends: script', 'message: x', 'script: |', ...body.map(line => `  ${line}`)].join('\n');
    const files = {
      ...FILES,
      'styles/House/Os.yml': script('os := import("os")', 'matches := []'),
    };
    const [found] = await check(files, { 'docs/guide.md': 'A text.\n' });
    expect(found?.message).toMatch(
      /^The prose was not checked\. Vale failed: styles\/House\/Os\.yml: .*module 'os' not found/,
    );
  });

  it('ends a check that takes too long, too much memory, or prints too much', async () => {
    const script = (body: string) =>
      `extends: script\nmessage: x\nscope: raw\nscript: |\n  ${body}\n  matches := []\n`;
    const snapshot = memorySnapshot({
      ...FILES,
      'styles/House/Slow.yml': script('for true { }'),
      'styles/House/Greedy.yml': script(
        'a := []; s := "xxxxxxxxxxxxxxxx"; for true { s += s; a = append(a, s + "y") }',
      ),
    });
    const rules = await readProseRules(
      { paths: [...snapshot.entries.keys()], read: path => snapshot.read(path) },
      'docs',
    );
    const pages = new Map([['docs/guide.md', 'We utilize it.\n'.repeat(200)]]);
    const begun = Date.now();
    const without = (pattern: RegExp) => ({
      ...rules!,
      styles: new Map([...rules!.styles].filter(([path]) => !pattern.test(path))),
    });
    const run = (pattern: RegExp, timeoutMs: number, maxOutput = 1e6) =>
      runVale(vale!, without(pattern), pages, { timeoutMs, maxOutput }, signal);
    await expect(run(/Greedy/, 700)).rejects.toThrow(
      new ProseError('Vale was ended after 1 seconds.'),
    );
    expect(Date.now() - begun).toBeLessThan(5_000);
    // The same rules then rest, and keep no others waiting.
    const limits = { timeoutMs: 700, maxOutput: 1e6 };
    const again = () => checkProse(vale!, without(/Greedy/), pages, limits, signal);
    await expect(again()).rejects.toThrow('after 1 seconds');
    const second = Date.now();
    await expect(again()).rejects.toThrow('after 1 seconds');
    expect(Date.now() - second).toBeLessThan(300);
    await expect(run(/Slow/, 20_000)).rejects.toThrow(/Vale failed: .*(?:memory|did not finish)/);
    await expect(run(/Slow|Greedy/, 20_000, 1_000)).rejects.toThrow('more than can be reported');
  });
});

describe('without the program of Vale', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('says so in a line where a site has rules, and nothing where it has none', async () => {
    const program = join(folder, 'none');
    const edits = { 'docs/guide.md': 'We leverage it.\n' };
    const [found, ...others] = await check(FILES, edits, program);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ path: '.vale.ini', line: null, severity: 'warning' });
    expect(found?.message).toMatch(/^The prose was not checked\. .*Install Vale 3\.22/);
    const { '.vale.ini': _, ...plain } = FILES;
    expect(await check(plain, edits, program)).toEqual([]);
  });

  it('refuses another version', async () => {
    const program = join(folder, 'old');
    writeFileSync(program, '#!/bin/sh\necho vale version 2.29.0\n');
    chmodSync(program, 0o755);
    const [found] = await check(FILES, { 'docs/guide.md': 'We leverage it.\n' }, program);
    expect(found?.message).toContain('is not a version that is known ("vale version 2.29.0")');
  });
});

describe('what Vale may have of a repository', () => {
  it('leaves out settings that run programs, ask servers or read other files', () => {
    const parsed = parseSettings(
      [
        'StylesPath = "styles" ; ours',
        'Packages = Google, https://example.com/x.zip',
        'NLPEndpoint = http://169.254.169.254/',
        'MinAlertLevel = \\',
        '  error',
        'IgnoredScopes = `code',
        'Transform = /etc/x.xsl',
        '[asciidoctor]',
        'stem = x',
        '[formats]',
        'mdx = md',
        'md = rst',
        '[*.md]',
        'Transform = ../x.xsl',
        'View = x',
        'BasedOnStyles = House, Vale, Other',
        'House.Simple = NO',
        'House.Simple[max] = 3',
        'Vale.Spelling[dicpath] = /etc',
        'Other.Rule = YES',
        'TokenIgnores = (\\$+[^\\n$]+\\$+)',
      ].join('\n'),
    );
    expect(parsed.stylesPath).toBe('styles');
    const names = { styles: new Set(['House']), vocabularies: new Set<string>() };
    expect(writeSettings(parsed, 'styles', names)).toEqual({
      text: [
        'StylesPath = styles',
        'MinAlertLevel = error',
        '[asciidoctor]',
        '[formats]',
        'mdx = md',
        '[*.md]',
        'BasedOnStyles = House, Vale',
        'House.Simple = NO',
        'House.Simple[max] = 3',
        'TokenIgnores = (\\$+[^\\n$]+\\$+)',
        '',
      ].join('\n'),
      hasRules: true,
      missing: ['Other'],
    });
  });

  it.each(['/etc', '../out', 'a/../../out', '~/styles', 'C:\\styles', '$HOME/styles'])(
    'reads no styles from %s',
    async path => {
      const file = Buffer.from(`StylesPath = ${path}\n[*]\nBasedOnStyles = House\n`);
      const rules = await readProseRules({ paths: ['.vale.ini'], read: async () => file }, 'docs');
      expect(rules).toMatchObject({
        isEmpty: true,
        notes: [`StylesPath leads out of the repository: ${path}.`],
      });
    },
  );

  it.each([
    ['House/A.yml', 'rule'],
    ['config/vocabularies/Base/accept.txt', 'vocabulary'],
    ['config/dictionaries/en.dic', 'other'],
    ['.vale-config/0-Google.ini', undefined],
    ['config/views/x.yml', undefined],
    ['House/run.sh', undefined],
  ])('%s is %s', (path, kind) => expect(styleFile(path)?.kind).toBe(kind));

  it.each([
    ['ignore: words.txt\ntokens:\n- a'],
    ['ignore:\n  - House/words.txt'],
    ['dicpath: dictionaries'],
    ['script: |\n  text := import("text")'],
    ['script: check.tengo'],
    ['action:\n  name: replace\n  params: [use]'],
    ['# a comment\n\nswap:\n  "../x": y'],
  ])('applies a rule with %j', text => {
    expect(ruleProblem(`---\nextends: spelling\nmessage: x\n${text}\n`)).toBeUndefined();
  });

  it.each([
    ['ignore: /etc/passwd'],
    ['ignore:\n- ../../secret'],
    ['ignore: &a\n  - "\\x2fetc/passwd"'],
    ['message: &a /etc/passwd\nignore: *a'],
    ['dicpath: ..'],
    ['dictionaries: [/usr/share/x]'],
    ['script: |-\n  ../../x.tengo'],
    ['script: ../x.tengo'],
    ['action:\n  name: suggest\n  params:\n    - ../../x'],
    ['"ignore": /etc/passwd'],
    ['? ignore\n: /etc/passwd'],
    ['<<: *a'],
    ['{ignore: /etc/passwd}'],
    ['unheard: of'],
  ])('refuses a rule with %j', text => {
    expect(ruleProblem(`extends: spelling\n${text}\n`)).toBeDefined();
    expect(ruleProblem(`extends: spelling\r\n${text}\n`)).toBeDefined();
  });
});
