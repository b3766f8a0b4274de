import { carryEdits } from '../../activities/merge.ts';
import { memorySnapshot } from '../support/memory-snapshot.ts';

const BASE = 'one\ntwo\nthree\nfour\nfive\n';

describe('edits carried onto another base', () => {
  it('merges changes of different lines', async () => {
    const merged = await carry({ 'a.md': BASE }, { 'a.md': BASE.replace('five', 'FIVE') }, { 'a.md': BASE.replace('one', 'ONE') });
    expect(merged.conflicts).toEqual([]);
    expect(merged.edits.get('a.md')?.toString()).toBe('ONE\ntwo\nthree\nfour\nFIVE\n');
  });

  it('keeps theirs where both changed the same line, and tells ours', async () => {
    const merged = await carry({ 'a.md': BASE }, { 'a.md': BASE.replace('two', 'theirs') }, { 'a.md': BASE.replace('two', 'ours') });
    expect(merged.edits.size).toBe(0);
    expect(merged.conflicts).toEqual([{ path: 'a.md', ours: BASE.replace('two', 'ours') }]);
  });

  it('drops an edit that the other side made as well', async () => {
    const same = BASE.replace('two', 'deux');
    expect((await carry({ 'a.md': BASE }, { 'a.md': same }, { 'a.md': same })).edits.size).toBe(0);
  });

  it('deletes a file that nobody else touched, and conflicts where somebody did', async () => {
    expect((await carry({ 'a.md': BASE }, { 'a.md': BASE }, { 'a.md': null })).edits.get('a.md')).toBeNull();
    expect((await carry({ 'a.md': BASE }, { 'a.md': `${BASE}six\n` }, { 'a.md': null })).conflicts).toEqual([{ path: 'a.md', ours: null }]);
  });

  it('keeps a new file, unless another one took its place', async () => {
    expect((await carry({}, {}, { 'new.md': 'ours\n' })).edits.get('new.md')?.toString()).toBe('ours\n');
    expect((await carry({}, { 'new.md': 'theirs\n' }, { 'new.md': 'ours\n' })).conflicts).toHaveLength(1);
  });
});

function carry(base: Record<string, string>, theirs: Record<string, string>, ours: Record<string, string | null>) {
  const edits = new Map(Object.entries(ours).map(([path, text]) => [path, text === null ? null : Buffer.from(text)]));
  return carryEdits(edits, memorySnapshot(base), memorySnapshot(theirs));
}
