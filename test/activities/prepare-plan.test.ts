import {
  ancestryAsked,
  type Heads,
  type History,
  planEdits,
  planStart,
  revisionToContinue,
  type Start,
} from '../../agent/prepare/plan.ts';
import type { FailureType } from '../../shared/jobs/failures.ts';

/** A job on `docent/fix-k3abcd`, in a repository whose base is `main`, at commit `base`. */
const OWN = 'docent/fix-k3abcd';
const HEADS: Heads = {
  repository: 'docs',
  branch: OWN,
  baseRef: 'main',
  state: { archived: false, empty: false, defaultBranch: 'main', protectedBranches: [] },
  head: null,
  base: 'base',
  pushedTo: null,
  pullRequest: null,
};
const PUSHED: Partial<Heads> = { head: 'ours', pushedTo: OWN, pullRequest: 'open' };

describe('where a turn starts', () => {
  const onOwn = (commit: string): Start => ({
    branch: OWN,
    commit,
    baseCommit: 'base',
    overtaken: null,
  });
  const onNew = (overtaken: Start['overtaken'], branch = `${OWN}-2`): Start => ({
    branch,
    commit: 'base',
    baseCommit: 'base',
    overtaken,
  });

  it.each<[string, Partial<Heads>, Start]>([
    ['first turn', {}, onOwn('base')],
    ['first turn, its branch made by a person', { head: 'theirs' }, onOwn('theirs')],
    ['follow-up', PUSHED, onOwn('ours')],
    [
      'follow-up, pushed by a run that opened nothing',
      { head: 'ours', pushedTo: OWN },
      onOwn('ours'),
    ],
    ['branch moved by a person', { ...PUSHED, head: 'theirs' }, onOwn('theirs')],
    ['merged', { ...PUSHED, pullRequest: 'merged' }, onNew('merged')],
    [
      'merged, and its branch deleted',
      { ...PUSHED, head: null, pullRequest: 'merged' },
      onNew('merged'),
    ],
    ['closed', { ...PUSHED, pullRequest: 'closed' }, onNew('closed')],
    [
      'closed, and its branch deleted',
      { ...PUSHED, head: null, pullRequest: 'closed' },
      onNew('closed'),
    ],
    ['branch deleted', { ...PUSHED, head: null }, onNew('deleted')],
    ['branch deleted before anything was opened', { pushedTo: OWN }, onNew('deleted')],
    [
      'new branch after an overtaken one',
      { branch: `${OWN}-2`, pushedTo: OWN },
      { ...onOwn('base'), branch: `${OWN}-2` },
    ],
    ['overtaken twice', { branch: `${OWN}-2`, pullRequest: 'merged' }, onNew('merged', `${OWN}-3`)],
    [
      'a number at the end of a name is no counter',
      { branch: 'docs/v-2', pullRequest: 'closed' },
      onNew('closed', 'docs/v-2-2'),
    ],
  ])('%s', (_, heads, start) => {
    expect(planStart({ ...HEADS, ...heads })).toEqual(start);
  });

  const state = (change: Partial<Heads['state']>) => ({ state: { ...HEADS.state, ...change } });
  it.each<[string, Partial<Heads>, FailureType, RegExp]>([
    ['archived', state({ archived: true }), 'repository_archived', /unarchive it/],
    ['empty', state({ empty: true }), 'repository_empty', /push one to main first/],
    ['no base branch', { base: null }, 'ref_not_found', /has no branch main/],
    ['its branch is the base', { branch: 'main' }, 'push_refused', /main/],
    ['its branch is the default', state({ defaultBranch: OWN }), 'push_refused', /docent/],
    ['its branch is protected', state({ protectedBranches: [OWN] }), 'push_refused', /docent/],
    [
      'the next branch is protected',
      { pullRequest: 'merged', ...state({ protectedBranches: [`${OWN}-2`] }) },
      'push_refused',
      /-2/,
    ],
  ])('not at all: %s', (_, heads, type, message) => {
    const plan = () => planStart({ ...HEADS, ...heads });
    expect(plan).toThrow(message);
    expect(plan).toThrow(expect.objectContaining({ type }));
  });
});

describe('the revision that a turn continues from', () => {
  const published = { commit: 'ours', published_revision: 'rev_sent' };

  it.each([
    ['first turn', 'workspace', null, null, null],
    ['follow-up', 'workspace', 'rev_sent', published, 'rev_sent'],
    ['limit reached or failed: the edits are kept', 'workspace', 'rev_edit', published, 'rev_edit'],
    ['cancelled', 'published', 'rev_edit', published, 'rev_sent'],
    ['cancelled or refused by policy in the first turn', 'published', 'rev_edit', null, null],
    ['refused by policy after a published turn', 'published', 'rev_bad', published, 'rev_sent'],
  ] as const)('%s', (_, startFrom, workspaceHead, sent, revision) => {
    expect(revisionToContinue(startFrom, workspaceHead, sent)).toBe(revision);
  });
});

const EDITS = { 'docs/a.md': 'blob' };
const onBranch: Start = { branch: OWN, commit: 'head', baseCommit: 'base', overtaken: null };
const onNewBranch: Start = {
  branch: `${OWN}-2`,
  commit: 'base',
  baseCommit: 'base',
  overtaken: 'closed',
};
const previous = (base_commit: string, files: Record<string, string> = {}) => ({
  id: 'rev',
  base_commit,
  files,
});
const NOTHING: History = { step: 0, previous: null, published: null, undone: [], sinceTurn: [] };
const SENT = { commit: 'ours', published_revision: 'rev' };
const sent = (n: number) => ({ commit: `c${n}`, revision_id: `rev_${n}` });

/** `contained`: "commit > ancestor", as the host knows it. */
type Row = [
  string,
  Start,
  Partial<History>,
  contained: string[],
  takeBack: string[],
  carry: string[],
];

describe('what a turn carries and takes back', () => {
  it.each<Row>([
    ['first turn', onBranch, {}, [], [], []],
    [
      'follow-up: what is published is in the branch',
      onBranch,
      { previous: previous('base', EDITS), published: SENT },
      [],
      [],
      [],
    ],
    [
      'follow-up after a turn without edits',
      onBranch,
      { previous: previous('ours'), published: { ...SENT, published_revision: 'rev_sent' } },
      [],
      [],
      [],
    ],
    [
      'limit reached, failed, or branch moved: unpublished edits',
      onBranch,
      { previous: previous('base', EDITS) },
      [],
      [],
      ['rev'],
    ],
    [
      'the same upon a published commit',
      onBranch,
      { previous: previous('ours', EDITS), published: { ...SENT, published_revision: 'rev_sent' } },
      [],
      [],
      ['rev'],
    ],
    [
      'no edits yet, upon another commit than the published',
      onBranch,
      { previous: previous('theirs'), published: { ...SENT, published_revision: 'rev_sent' } },
      [],
      [],
      ['rev'],
    ],
    [
      'merged: what is published stays behind',
      onNewBranch,
      { previous: previous('base', EDITS), published: SENT },
      [],
      [],
      [],
    ],
    [
      'closed with unpublished edits',
      onNewBranch,
      { previous: previous('ours', EDITS), published: { ...SENT, published_revision: 'rev_sent' } },
      [],
      [],
      ['rev'],
    ],
    [
      'rewound: its commit is in the branch',
      onBranch,
      { undone: [sent(2), sent(1)] },
      ['head > c2', 'head > c1'],
      ['rev_2', 'rev_1'],
      [],
    ],
    [
      'rewound: one of two was never pushed',
      onBranch,
      { undone: [sent(2), sent(1)] },
      ['head > c1'],
      ['rev_1'],
      [],
    ],
    [
      'rewound: somebody has taken the commit off the branch',
      onBranch,
      { undone: [sent(1)] },
      [],
      [],
      [],
    ],
    [
      'rewound, and edits to carry',
      onBranch,
      { step: 2, previous: previous('base', EDITS), undone: [sent(1)] },
      ['head > c1'],
      ['rev_1'],
      ['rev'],
    ],
    [
      'rewound, and closed since: nothing to take from the new branch',
      onNewBranch,
      { undone: [sent(1)] },
      [],
      [],
      [],
    ],
    [
      'prepared again after its own publication, which is in the branch',
      onBranch,
      { step: 3, previous: previous('base', EDITS), published: SENT },
      ['head > ours'],
      [],
      [],
    ],
    [
      'prepared again after its own publication, which was closed',
      onNewBranch,
      { step: 3, previous: previous('base', EDITS), published: SENT },
      [],
      [],
      ['rev'],
    ],
    [
      'prepared again on the commit that it is based on',
      onBranch,
      { step: 3, previous: previous('head', EDITS), sinceTurn: [sent(1)] },
      [],
      [],
      ['rev'],
    ],
    [
      'prepared again on top of what it is based on',
      onBranch,
      { step: 3, previous: previous('c1', EDITS), sinceTurn: [sent(1)] },
      ['head > c1', 'c1 > c1'],
      [],
      ['rev'],
    ],
    [
      'prepared again on a branch without the commits of this turn',
      onNewBranch,
      { step: 3, previous: previous('c2', EDITS), sinceTurn: [sent(1), sent(2), sent(3)] },
      ['c2 > c1', 'c2 > c2'],
      [],
      ['rev_1', 'rev_2', 'rev'],
    ],
  ])('%s', (_, start, history, contained, takeBack, carry) => {
    const facts = { ...NOTHING, ...history };
    const asked = ancestryAsked(start, facts).map(pair => pair.join(' > '));
    const plan = planEdits(start, facts, (...pair) => {
      expect(asked).toContain(pair.join(' > '));
      return contained.includes(pair.join(' > '));
    });
    expect(plan).toEqual({ takeBack, carry });
    expect(asked).toEqual(expect.arrayContaining(contained));
  });
});
