import { readInstruction, type Scope } from '../../offline-model/instruction.ts';
import { offlineJob } from './offline-job.ts';
import { useOfflineModel } from './use-offline-model.ts';

/** Where each request that reaches beyond one page applies. */
function scopes(instruction: string): Scope[] {
  return readInstruction(instruction).flatMap(({ intent }) => (intent && 'scope' in intent ? [intent.scope] : []));
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
    [' in setup.md (not in code)', { kind: 'prose', place: { text: 'setup.md', quoted: true, named: true } }],
    [' (headings only)', { kind: 'headings', only: true }],
  ])('%s', (limit, scope) => {
    for (const what of [QUOTED, BARE]) expect({ what, scopes: scopes(what + limit) }).toMatchObject({ what, scopes: [scope] });
  });

  it.each(['Fix typos', 'Use https instead of http', 'Fix broken links', 'Bump node from 18 to 20', 'Raise the upload limit from 10 to 25', 'Fix typo: "recieve" should be "receive"', 'The tag limit is now 5, not 3'])('%s', (what) => {
    for (const limit of ['not in log.md', 'except in log.md', 'excluding log.md']) expect({ limit, scopes: scopes(`${what} (${limit})`) }).toMatchObject({ limit, scopes: [{ except: { text: 'log.md' } }] });
    for (const limit of [' (hands off log.md)', ' everywhere exept log.md', ', hands off log.md', '. Dont tuoch log.md.', ' in setup.md, aside from code']) expect({ limit, scopes: scopes(what + limit) }).toMatchObject({ limit, scopes: [{ unclear: expect.any(String) }] });
    expect(scopes(what)).toEqual([{ kind: 'all' }]);
  });
});

describe('what is not understood and may be a limit', () => {
  it.each([
    ' everywhere exept changelog.md', ' everywhere execpt changelog', ' everywhere, minus changelog.md', ' everywhere, skiping code', ' everywhere aside from changelog.md', ' everywhere save changelog', ' everywhere but in code',
    ' everywhere, exept the changelog', ' everywhere besides code', ', ideally just in prose', ', preferably only in setup.md', ', hands off changelog.md', ' - changelog.md stays as it is', ' (changelog.md excepted)', ' and hands off changelog.md',
    ' in docs exept changelog.md', ' for consistency in setup.md', ' so that changelog.md stays as it is', ' to keep changelog.md as it is', '—not in code', ' [not in code]',
    '. Do not tuoch changelog.md.', '. Changelog.md is off limits.', '. Hands off the changelog!', '; changelog.md stays', '. Code stays.', '\nchangelog.md must stay',
  ])('is asked back, not passed over: %s', (limit) => {
    for (const what of [QUOTED, BARE]) expect({ what, sure: scopes(what + limit).filter(({ unclear }) => unclear === undefined) }).toEqual({ what, sure: [] });
  });

  it.each(['Do not fix typos in log.md. Fix typos.', 'Not in changelog.md: rename "a" to "b"', 'Leave changelog.md alone: foo -> bar', 'Outside changelog.md, use "a" instead of "b"', 'Fix typos in "setup.md" aside from code'])('stands before it, too: %s', (instruction) => {
    expect(scopes(instruction).filter(({ unclear }) => unclear === undefined)).toEqual([]);
  });

  it.each(['. Dont touch changelog.md.', '. don’t touch changelog.md', '. do not touch changelog.md.', '\nDo not change changelog.md'])('is understood without an apostrophe or a capital: %s', (limit) => {
    for (const what of [QUOTED, BARE]) expect({ what, scopes: scopes(what + limit) }).toMatchObject({ what, scopes: [{ except: { text: 'changelog.md' } }] });
    expect(scopes(`Dont touch changelog.md. ${QUOTED}`)).toMatchObject([{ except: { text: 'changelog.md' } }]);
  });

  it.each([' everywhere', ' everywhere it is used', ' everywhere, please', ' everywhere for consistency', ' everywhere in the docs', ' (see #12)', ' everywhere (thanks)', '. Leave the rest as it is.', '. Write a page about limits.', '. Please add a note about limits to api.md.', '\n2. Improve the code examples'])('is not seen where there is none: %s', (more) => {
    for (const what of [QUOTED, BARE]) expect({ what, scopes: scopes(what + more) }).toEqual({ what, scopes: [{ kind: 'all' }] });
    for (const quoted of [' to match cli.md', ', nothing else']) expect(scopes(QUOTED + quoted)).toEqual([{ kind: 'all' }]);
  });
});

describe('a page that is to be left', () => {
  const offline = useOfflineModel();

  const FILES = { 'docs/changelog.md': '# Changelog\n\nThe workspace.\n', 'docs/setup.md': '# Setup\n\nA workspace, and [log](changelog.md).\n', 'docs/old.md': '# Old\n\n[Setup](setup.md)\n' };

  it('stays, and the rest is done', async () => {
    const { diff } = await offlineJob(offline.client, `${QUOTED} everywhere (except changelog.md)`, FILES);
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
});
