import { readInstruction, type Scope } from '../../offline-model/instruction.ts';
import { offlineJob } from './offline-job.ts';
import { useOfflineModel } from './use-offline-model.ts';

/** Where each request that reaches beyond one page applies. */
function scopes(instruction: string): Scope[] {
  return readInstruction(instruction).flatMap(({ intent }) =>
    intent && 'scope' in intent ? [intent.scope] : [],
  );
}

const QUOTED = 'Rename "workspace" to "project"';
const BARE = 'Rename workspace to project';

describe('a limit in parentheses', () => {
  it.each<[string, Partial<Scope> | { except: object }]>([
    [' everywhere (except changelog.md)', { except: { text: 'changelog.md' } }],
    [' (not in setup.md)', { except: { text: 'setup.md' } }],
    [' (not changelog.md)', { except: { text: 'changelog.md' } }],
    [' (leave changelog.md alone)', { except: { text: 'changelog.md' } }],
    [' everywhere except changelog.md (it is history)', { except: { text: 'changelog.md' } }],
    [' (not in code)', { kind: 'prose' }],
    [' (except in code)', { kind: 'prose' }],
    [' (without headings)', { unclear: 'without headings' }],
    [' (leave headings as they are)', { spare: 'headings' }],
    [
      ' in setup.md (not in code)',
      { kind: 'prose', place: { text: 'setup.md', quoted: true, named: true } },
    ],
    [' (headings only)', { kind: 'headings', only: true }],
  ])('%s', (limit, scope) => {
    for (const what of [QUOTED, BARE])
      expect({ what, scopes: scopes(what + limit) }).toMatchObject({ what, scopes: [scope] });
  });

  it.each([
    'Fix typos',
    'Use https instead of http',
    'Fix broken links',
    'Bump node from 18 to 20',
    'Raise the upload limit from 10 to 25',
    'Fix typo: "recieve" should be "receive"',
    'The tag limit is now 5, not 3',
  ])('%s', what => {
    for (const limit of ['not in log.md', 'except in log.md', 'excluding log.md'])
      expect({ limit, scopes: scopes(`${what} (${limit})`) }).toMatchObject({
        limit,
        scopes: [{ except: { text: 'log.md' } }],
      });
    for (const limit of [
      ' (hands off log.md)',
      ' everywhere exept log.md',
      ', hands off log.md',
      '. Dont tuoch log.md.',
      ' in setup.md, aside from code',
    ])
      expect({ limit, scopes: scopes(what + limit) }).toMatchObject({
        limit,
        scopes: [{ unclear: expect.any(String) }],
      });
    expect(scopes(what)).toEqual([{ kind: 'all' }]);
  });
});

describe('what is not understood and may be a limit', () => {
  it.each([
    ' everywhere exept changelog.md',
    ' everywhere execpt changelog',
    ' everywhere, minus changelog.md',
    ' everywhere, skiping code',
    ' everywhere aside from changelog.md',
    ' everywhere save changelog',
    ' everywhere but in code',
    ' everywhere, exept the changelog',
    ' everywhere besides code',
    ', ideally just in prose',
    ', preferably only in setup.md',
    ', hands off changelog.md',
    ' - changelog.md stays as it is',
    ' (changelog.md excepted)',
    ' and hands off changelog.md',
    ' in docs exept changelog.md',
    ' for consistency in setup.md',
    ' so that changelog.md stays as it is',
    ' to keep changelog.md as it is',
    '—not in code',
    ' [not in code]',
    '. Do not tuoch changelog.md.',
    '. Changelog.md is off limits.',
    '. Hands off the changelog!',
    '; changelog.md stays',
    '. Code stays.',
    '\nchangelog.md must stay',
  ])('is asked back, not passed over: %s', limit => {
    for (const what of [QUOTED, BARE])
      expect({
        what,
        sure: scopes(what + limit).filter(({ unclear }) => unclear === undefined),
      }).toEqual({ what, sure: [] });
  });

  it.each([
    'Do not fix typos in log.md. Fix typos.',
    'Not in changelog.md: rename "a" to "b"',
    'Leave changelog.md alone: foo -> bar',
    'Outside changelog.md, use "a" instead of "b"',
    'Fix typos in "setup.md" aside from code',
  ])('stands before it, too: %s', instruction => {
    expect(scopes(instruction).filter(({ unclear }) => unclear === undefined)).toEqual([]);
  });

  it.each([
    '. Dont touch changelog.md.',
    '. don’t touch changelog.md',
    '. do not touch changelog.md.',
    '\nDo not change changelog.md',
  ])('is understood without an apostrophe or a capital: %s', limit => {
    for (const what of [QUOTED, BARE])
      expect({ what, scopes: scopes(what + limit) }).toMatchObject({
        what,
        scopes: [{ except: { text: 'changelog.md' } }],
      });
    expect(scopes(`Dont touch changelog.md. ${QUOTED}`)).toMatchObject([
      { except: { text: 'changelog.md' } },
    ]);
  });

  it.each([
    ' everywhere',
    ' everywhere it is used',
    ' everywhere, please',
    ' everywhere for consistency',
    ' everywhere in the docs',
    ' (see #12)',
    ' everywhere (thanks)',
    '. Leave the rest as it is.',
    '. Write a page about limits.',
    '. Please add a note about limits to api.md.',
    '\n2. Improve the code examples',
  ])('is not seen where there is none: %s', more => {
    for (const what of [QUOTED, BARE])
      expect({ what, scopes: scopes(what + more) }).toEqual({ what, scopes: [{ kind: 'all' }] });
    for (const quoted of [' to match cli.md', ', nothing else'])
      expect(scopes(QUOTED + quoted)).toEqual([{ kind: 'all' }]);
  });
});

describe('a limit for several things', () => {
  const DOTTED = 'replace "foo" with "bar"';
  const MORE = 'replace "baz" with "qux"';

  it.each([
    `In docs/a.md, ${DOTTED} and ${MORE}`,
    `Only in docs/a.md: ${DOTTED} and ${MORE}`,
    `On docs/a.md only: ${DOTTED}; ${MORE}`,
    `In docs/a.md, ${DOTTED}. Also ${MORE}.`,
    `In docs/a.md, ${DOTTED} and fix broken links`,
    `docs/a.md: ${DOTTED} and fix broken links`,
    `For docs/a.md: ${DOTTED}, then ${MORE}`,
    `Update docs/a.md: ${DOTTED} and ${MORE}`,
    `In docs/a.md fix the typo recieve\nFix broken links`,
    `${DOTTED} and ${MORE} only in docs/a.md`,
  ])('that stands once keeps both to the page: %s', instruction => {
    const read = scopes(instruction);
    expect(read.length).toBe(2);
    for (const scope of read) expect(scope.place?.text).toMatch(/^docs\/a\.md/);
  });

  it.each<[string, Partial<Scope> | object]>([
    [
      'Fix broken links and fix the typo recieve except in docs/b.md',
      { except: { text: 'docs/b.md' } },
    ],
    [`${DOTTED} and ${MORE}, but not in b.md`, { except: { text: 'b.md' } }],
    [`${DOTTED} and fix broken links (not in b.md)`, { except: { text: 'b.md' } }],
    [`${DOTTED} and ${MORE} in prose only`, { kind: 'prose' }],
    ['Change "a" to "b" and "c" to "d" and fix typos except in b.md', { except: { text: 'b.md' } }],
    [`${DOTTED} and ${MORE}, hands off b.md`, { unclear: expect.any(String) }],
  ])('behind them is for each: %s', (instruction, scope) => {
    const read = scopes(instruction);
    expect(read.length).toBeGreaterThan(1);
    expect(read).toMatchObject(read.map(() => scope));
  });

  it('ends where another place, an item of a list or everything is named', () => {
    expect(
      scopes(
        `In docs/a.md, ${DOTTED}. Replace "x" with "y" in docs/b.md. Replace "u" with "v" everywhere.`,
      ).map(({ place }) => place?.text),
    ).toEqual(['docs/a.md', 'docs/b.md', undefined]);
    for (const marks of [
      ['1.', '2.'],
      ['-', '-'],
    ])
      expect(
        scopes(`${marks[0]} In docs/a.md, ${DOTTED}\n${marks[1]} Fix broken links`)[1],
      ).toEqual({ kind: 'all' });
    expect(scopes('`@a/b` -> `@c/d` and fix broken links')[1]).toEqual({ kind: 'all' });
  });

  it('that may be for both is asked back', () => {
    const [first, second] = readInstruction(`${DOTTED} and fix broken links in docs/a.md`);
    expect([first?.doubt, second?.doubt]).toEqual([
      expect.stringContaining('Say where for each'),
      undefined,
    ]);
    expect(readInstruction(`In docs/a.md, ${DOTTED} and delete docs/b.md`)[1]).toMatchObject({
      intent: { kind: 'delete-page' },
      limit: expect.any(String),
    });
  });
});

describe('words about the request', () => {
  it.each([
    'please in docs/a.md',
    'asap',
    'today',
    'again',
    'there',
    'and commit',
    'starting from docs/b.md',
  ])('are no part of the new text: %s', words => {
    expect(readInstruction(`Rename foo to bar ${words}`)).toMatchObject([
      { doubt: expect.stringMatching(/all new text\. Put .* in quotes/) },
    ]);
  });

  it.each([
    'Rename foo to bar - scratch that',
    'Cancel: rename foo to bar',
    'Test only: replace "foo" with "bar" (dry run)',
    'Replace "foo" with "bar" (dry run)',
    'Rename foo to bar. Wait for my approval before changing anything.',
    'Append the line "x" to a.md. Never mind.',
  ])('take it back: %s', instruction => {
    expect(readInstruction(instruction)[0]).toMatchObject({
      doubt: expect.stringContaining('you also said'),
    });
  });

  it.each([
    'Rename "dry run" to "wait for it"',
    'Rename dry-run to preview',
    'Test utils: isFoo -> isBar',
    'Rename foo to bar',
    'Replace Node 14 with Node 18',
    'Replace foo with "bar please"',
  ])('are not seen where there are none: %s', instruction => {
    expect(readInstruction(instruction).map(({ doubt }) => doubt)).toEqual([undefined]);
  });
});

describe('a page that is to be left', () => {
  const offline = useOfflineModel();

  const FILES = {
    'docs/changelog.md': '# Changelog\n\nThe workspace.\n',
    'docs/setup.md': '# Setup\n\nA workspace, and [log](changelog.md).\n',
    'docs/old.md': '# Old\n\n[Setup](setup.md)\n',
  };

  it('stays, and the rest is done', async () => {
    const { diff } = await offlineJob(
      offline.client,
      `${QUOTED} everywhere (except changelog.md)`,
      FILES,
    );
    expect(diff).toEqual({ 'docs/setup.md': '# Setup\n\nA project, and [log](changelog.md).\n' });
  });

  it.each([
    [`${QUOTED} everywhere exept changelog.md`, 'exept changelog.md'],
    [`${QUOTED}. Do not tuoch changelog.md.`, 'Do not tuoch changelog.md.'],
    ['Move docs/changelog.md to docs/log.md. Dont touch setup.md.', 'Dont touch setup.md.'],
  ])('stays with everything else where that is not understood: %s', async (instruction, limit) => {
    const { diff, finished, message } = await offlineJob(offline.client, instruction, FILES);
    expect({ diff, finished }).toEqual({ diff: {}, finished: null });
    expect(message).toContain(`I cannot keep to “${limit}”`);
  });

  it('stays where another is named, be it once for several things or one that is not there', async () => {
    const both = {
      'docs/a.md': 'foo baz\n',
      'docs/b.md': 'foo baz [x](gone.md) recieve\n',
      'docs/go-ne.md': 'x\n',
    };
    expect(
      (
        await offlineJob(
          offline.client,
          'In docs/a.md, replace "foo" with "bar" and replace "baz" with "qux" and fix broken links',
          both,
        )
      ).diff,
    ).toEqual({ 'docs/a.md': 'bar qux\n' });
    for (const instruction of [
      'In docs/a.md fix the typo recieve',
      'docs/c.md: replace "foo" with "bar"',
    ])
      expect((await offlineJob(offline.client, instruction, both)).diff).toEqual({});
  });

  it('stays with everything else where the request is put off', async () => {
    const { diff, finished, message } = await offlineJob(
      offline.client,
      `${QUOTED}. Wait for my approval before changing anything.`,
      FILES,
    );
    expect({ diff, finished, message }).toEqual({
      diff: {},
      finished: null,
      message: expect.stringContaining('alone: you also said “Wait for”'),
    });
  });
});
