import type { NavigationEdit } from '../../../agent/navigation/navigation-edit.ts';
import { editSite } from '../../support/navigation-edits.ts';

const FUMADOCS = { 'source.config.ts': "import { defineDocs } from 'fumadocs-mdx/config'" };
const PAGES = { 'docs/a.mdx': '# A', 'docs/b.mdx': '# B', 'docs/guide/intro.mdx': '# Intro' };

/** The text of a list after an edit, with what the edit of its own is not allowed to change. */
function edited(meta: string, edit: NavigationEdit, more: Record<string, string> = {}) {
  const result = editSite({ ...FUMADOCS, 'docs/meta.json': meta, ...PAGES, ...more }, edit);
  return { ...result, text: result.texts['docs/meta.json'] };
}

const addA: NavigationEdit = { kind: 'add-page', file: 'docs/a.mdx' };

describe('the list of a folder', () => {
  it.each([
    ['{ "title": "X", "pages": [] }\n', '{ "title": "X", "pages": ["a"] }\n'],
    ['{\n  "title": "X",\n  "pages": []\n}\n', '{\n  "title": "X",\n  "pages": ["a"]\n}\n'],
    ['{\n  "pages": [\n  ]\n}', '{\n  "pages": [\n    "a"\n  ]\n}'],
    [
      '{\r\n  "pages": [\r\n    "b"\r\n  ]\r\n}\r\n',
      '{\r\n  "pages": [\r\n    "b",\r\n    "a"\r\n  ]\r\n}\r\n',
    ],
  ])('takes a page: %j', (before, after) => {
    const { text, otherChanges } = edited(before, addA);
    expect({ text, otherChanges }).toEqual({ text: after, otherChanges: [] });
  });

  it('takes a first page where it is a whole file', () => {
    const { texts } = editSite(
      { 'theme.config.tsx': '', 'docs/_meta.json': '{}\n', 'docs/a.mdx': '# A' },
      addA,
    );
    expect(texts).toEqual({ 'docs/_meta.json': '{ "a": "A" }\n' });
  });

  it('is not edited where that would delete a comment, or leave no JSON', () => {
    const commented = '{\n  "pages": [\n    // first\n    "b"\n  ]\n}\n';
    expect(edited(commented, addA)).toMatchObject({
      ...{ texts: {}, refused: expect.stringContaining('comments in its list') },
    });
    expect(edited('{ // x\n  "pages": ["b"]\n}\n', addA).text).toBe(
      '{ // x\n  "pages": ["b", "a"]\n}\n',
    );
    expect(edited('{ "pages": ["b"], "title": }', addA)).toMatchObject({
      ...{ texts: {}, refused: expect.stringContaining('no valid JSON') },
    });
  });

  it('does not take the entry of another folder, whatever the offsets are', () => {
    const list = '{ "pages": ["intro"] }';
    const move: NavigationEdit = {
      ...{ kind: 'move-entry', entry: { file: 'docs/guide/intro.mdx' } },
      position: { after: { file: 'docs/a.mdx' } },
    };
    const { refused, texts } = edited('{ "pages": ["abcde", "a"] }', move, {
      'docs/guide/meta.json': list,
    });
    expect([texts, refused]).toEqual([{}, expect.stringContaining("move the page's file there")]);
    const equal = edited('{ "pages": ["a"] }', move, { 'docs/guide/meta.json': list });
    expect(equal.refused).toBe(refused);
    const itself = edited('{ "pages": ["a"] }', { ...move, entry: { file: 'docs/a.mdx' } });
    expect(itself.refused).toContain('beside itself');
  });

  it('loses the entry of a folder with its last page, and keeps that of others', () => {
    const list = '{ "pages": ["guide", "b"] }';
    const remove: NavigationEdit = { kind: 'remove-page', file: 'docs/guide/intro.mdx' };
    expect(edited(list, remove).text).toBe('{ "pages": ["b"] }');
    expect(edited(list, remove, { 'docs/guide/more.mdx': '' }).texts).toEqual({});
    const moved = (to: string) =>
      edited(list, {
        ...{ kind: 'move-page', from: 'docs/guide/intro.mdx', to },
        ...{ newPath: null, redirect: false },
      }).text;
    expect(moved('docs/intro.mdx')).toBe('{ "pages": ["b", "intro"] }');
    expect(moved('docs/guide/deep/intro.mdx')).toBeUndefined();
  });

  it('keeps the folder in the path of an entry, and the dot in a name', () => {
    const { text, otherChanges } = edited('{ "pages": ["guide/intro"] }', {
      ...{ kind: 'move-page', from: 'docs/guide/intro.mdx', to: 'docs/guide/node.js.mdx' },
      ...{ newPath: null, redirect: false },
    });
    expect({ text, otherChanges }).toEqual({
      text: '{ "pages": ["guide/node.js"] }',
      otherChanges: [],
    });
  });
});
