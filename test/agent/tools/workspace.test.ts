import { openWorkspace } from '../../../agent/workspace.ts';
import { memorySnapshot } from '../../support/memory-snapshot.ts';

const snapshot = memorySnapshot(
  { 'a.md': 'a', 'b/c.sh': 'c', link: 'a.md' },
  { 'b/c.sh': '100755', link: '120000' },
);
const shown = async (workspace: ReturnType<typeof openWorkspace>) =>
  [...(await workspace.changes())].map(([path, content]) => [path, content?.toString() ?? null]);

describe('openWorkspace', () => {
  it('shows the snapshot with the edits upon it', async () => {
    const edits = new Map([
      ['a.md', Buffer.from('A')],
      ['b/c.sh', null],
      ['d.md', Buffer.from('d')],
    ]);
    const workspace = openWorkspace(snapshot, edits);
    expect(workspace.list()).toEqual(['a.md', 'd.md', 'link']);
    expect(await workspace.readText('a.md')).toBe('A');
    expect(await workspace.read('b/c.sh')).toBeUndefined();
    expect([
      workspace.has('b/c.sh'),
      workspace.entry('b/c.sh'),
      workspace.entry('link'),
      workspace.entry('d.md'),
    ]).toEqual([false, undefined, { mode: '120000' }, { mode: '100644' }]);
    expect(await shown(workspace)).toEqual([
      ['a.md', 'A'],
      ['b/c.sh', null],
      ['d.md', 'd'],
    ]);
  });

  it('follows writes and removals, and does not touch the edits it was given', async () => {
    const edits = new Map<string, Buffer | null>();
    const workspace = openWorkspace(snapshot, edits);
    workspace.write('x/é.md', 'é');
    workspace.remove('a.md');
    expect(workspace.list()).toEqual(['b/c.sh', 'link', 'x/é.md']);
    workspace.remove('x/é.md');
    workspace.write('a.md', Buffer.from('new'));
    expect(workspace.list()).toEqual(['a.md', 'b/c.sh', 'link']);
    expect(await shown(workspace)).toEqual([['a.md', 'new']]);
    expect(edits.size).toBe(0);
  });

  it('does not call a change what has the bytes of the base again', async () => {
    const workspace = openWorkspace(
      snapshot,
      new Map([
        ['a.md', Buffer.from('b')],
        ['nowhere.md', null],
      ]),
    );
    workspace.write('a.md', 'a');
    expect(await shown(workspace)).toEqual([]);
  });
});
