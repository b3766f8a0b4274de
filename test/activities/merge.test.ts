import { conflictNotes } from '../../agent/prepare/notes.ts';
import { carryEdits } from '../../agent/prepare/merge-conflicts.ts';
import { memorySnapshot } from '../support/memory-snapshot.ts';

const BASE = 'one\ntwo\nthree\nfour\nfive\n';

describe('edits carried onto another base', () => {
  it('merges changes of different lines', async () => {
    const merged = await carry(
      { 'a.md': BASE },
      { 'a.md': BASE.replace('five', 'FIVE') },
      { 'a.md': BASE.replace('one', 'ONE') },
    );
    expect(merged.conflicts).toEqual([]);
    expect(merged.edits.get('a.md')?.toString()).toBe('ONE\ntwo\nthree\nfour\nFIVE\n');
  });

  it('keeps theirs where both changed the same line, and tells ours', async () => {
    const merged = await carry(
      { 'a.md': BASE },
      { 'a.md': BASE.replace('two', 'theirs') },
      { 'a.md': BASE.replace('two', 'ours') },
    );
    expect(merged.edits.size).toBe(0);
    expect(merged.conflicts).toEqual([{ path: 'a.md', ours: BASE.replace('two', 'ours') }]);
  });

  it('drops an edit that the other side made as well', async () => {
    const same = BASE.replace('two', 'deux');
    expect((await carry({ 'a.md': BASE }, { 'a.md': same }, { 'a.md': same })).edits.size).toBe(0);
  });

  it('deletes a file that nobody else touched, and conflicts where somebody did', async () => {
    expect(
      (await carry({ 'a.md': BASE }, { 'a.md': BASE }, { 'a.md': null })).edits.get('a.md'),
    ).toBeNull();
    expect(
      (await carry({ 'a.md': BASE }, { 'a.md': `${BASE}six\n` }, { 'a.md': null })).conflicts,
    ).toEqual([{ path: 'a.md', ours: null }]);
  });

  it('keeps a new file, unless another one took its place', async () => {
    expect((await carry({}, {}, { 'new.md': 'ours\n' })).edits.get('new.md')?.toString()).toBe(
      'ours\n',
    );
    expect(
      (await carry({}, { 'new.md': 'theirs\n' }, { 'new.md': 'ours\n' })).conflicts,
    ).toHaveLength(1);
  });

  it.each(['theirs', 'ours', 'base'])(
    'does not merge where %s is not UTF-8: its characters would be others',
    async side => {
      const files = {
        base: BASE,
        theirs: BASE.replace('one', 'ONE'),
        ours: BASE.replace('five', 'FIVE'),
      };
      const bytes = (name: keyof typeof files) =>
        Buffer.from(files[name].replace('three', 'Caf\u00e9'), side === name ? 'latin1' : 'utf8');
      const merged = await carry(
        { 'a.md': bytes('base') },
        { 'a.md': bytes('theirs') },
        { 'a.md': bytes('ours') },
      );
      expect([merged.edits.size, merged.conflicts.length]).toEqual([0, 1]);
    },
  );

  it.each([
    ['\n', '\r\n'],
    ['\r\n', '\n'],
  ])('goes on where a formatter made every %j a %j', async (from, to) => {
    const base = BASE.replaceAll('\n', from);
    const merged = await carry(
      { 'a.md': base },
      { 'a.md': BASE.replace('one', 'ONE').replaceAll('\n', to) },
      { 'a.md': base.replace('five', 'FIVE') },
    );
    expect(merged.edits.get('a.md')?.toString()).toBe(
      'ONE\ntwo\nthree\nfour\nFIVE\n'.replaceAll('\n', to),
    );
    const both = await carry(
      { 'a.md': base },
      { 'a.md': BASE.replace('two', 'theirs').replaceAll('\n', to) },
      { 'a.md': base.replace('two', 'ours') },
    );
    expect(both.conflicts).toHaveLength(1);
  });
});

describe('the notes on conflicts', () => {
  it('show versions up to a bound, and name the rest', () => {
    const notes = conflictNotes(
      Array.from({ length: 1000 }, (_, i) => ({
        path: `docs/page-${i}.md`,
        ours: i === 1 ? null : 'x'.repeat(i === 0 ? 25_000 : 18_000),
      })),
    );
    expect(notes.join('').length).toBeLessThan(70_000);
    expect(notes[0]).toContain(
      'docs/page-0.md in the same place as you. Their version is in the workspace. Your version was, in its first 20000 characters:\nxxx',
    );
    expect(notes[1]).toContain('You had deleted the file.');
    expect(notes.at(-1)).toMatch(
      /^The same applies to docs\/page-4\.md, docs\/page-5\.md, .* and 796 more: /,
    );
  });
});

function carry(
  base: Record<string, string | Buffer>,
  theirs: Record<string, string | Buffer>,
  ours: Record<string, string | Buffer | null>,
) {
  const edits = new Map(
    Object.entries(ours).map(([path, text]) => [path, text === null ? null : Buffer.from(text)]),
  );
  return carryEdits(edits, memorySnapshot(base), memorySnapshot(theirs));
}
