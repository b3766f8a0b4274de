import { likelyLinks, pageLinks } from '../../sites/page-links.ts';
import { parsePage } from '../../sites/markdown.ts';

describe('pageLinks', () => {
  it('finds links, images, attributes and imports, and where their addresses are', () => {
    const text =
      'import A from "/a.mdx"\n\n[/x](/x "/x") ![alt](./i.png)\n<Card\n  title="/y"\n' +
      '  href="/y"\n/>\n\n[ref]: /r "t"\n\n`[code](/no)` https://auto.example\n\n' +
      '```md\n[no](/no)\n```\n';
    const links = pageLinks(parsePage('p.mdx', text).tree, text);
    expect(links.map(({ kind, url, line }) => [kind, url, line])).toEqual([
      ['import', '/a.mdx', 1],
      ['link', '/x', 3],
      ['image', './i.png', 3],
      ['link', '/y', 6],
      ['link', '/r', 9],
      ['link', 'https://auto.example', 11],
    ]);
    expect(
      links.map(
        ({ range, url }) =>
          range && text.slice(range.start, range.end) === url && text.charAt(range.start - 1),
      ),
    ).toEqual(['"', '(', '(', '"', ' ', undefined]);
  });

  it('finds each of several addresses in raw HTML', () => {
    const text = 'a\n\n<p>\n<a href="/x">1</a> <a href=\'/x\'>2</a>\n<img src="/i.png">\n</p>\n';
    const links = pageLinks(parsePage('p.md', text).tree, text);
    expect(
      links.map(({ kind, url, line, range }) => [
        kind,
        url,
        line,
        range && text.slice(range.start - 6, range.end),
      ]),
    ).toEqual([
      ['link', '/x', 4, 'href="/x'],
      ['link', '/x', 4, "href='/x"],
      ['image', '/i.png', 5, ' src="/i.png'],
    ]);
  });

  it.each([
    ['p.md', '[![Logo](img/x.png)](b.md)', ['b.md', 'img/x.png']],
    [
      'p.md',
      '<a href="a">1</a> <a href=b.md>2</a> <video poster="v.png" src=v.mp4></video>',
      ['a', 'b.md', 'v.png', 'v.mp4'],
    ],
    ['p.md', '<p>\nset src=foo first\n</p>', []],
    [
      'p.md',
      '- item\n\n  <img\n    alt="i"\n    src="i.png"\n' +
        '    srcset="i.png 1x, i2.png 2x,/i3.png 3x" />',
      ['i.png', 'i.png', 'i2.png', '/i3.png'],
    ],
    [
      'p.mdx',
      '<Card href="h" /><img src={"x.png"} srcSet={\'x2.png 2x\'} />' +
        '<a href={`/b`}>b</a><a href={b}>c</a><a href={"/b" + c}>d</a><a href>e</a>',
      ['h', 'x.png', 'x2.png', '/b'],
    ],
    ['p.mdx', '<Card img="/no" src={`${a}.png`} />', []],
  ])('finds in %s, and where it is written: %s', (path, text, expected) => {
    const links = pageLinks(parsePage(path, text).tree, text);
    expect(links.map(({ url }) => url)).toEqual(expected);
    for (const { url, range } of links) {
      expect(range && text.slice(range.start, range.end)).toBe(url);
      expect(text.slice((range?.start ?? 0) - 1)).toMatch(/^["'`=(\s,]/);
    }
    expect(likelyLinks(text)).toEqual(expect.arrayContaining(expected));
  });

  it('looks through spaces and quotes without end in no time', () => {
    const started = performance.now();
    for (const text of [
      `<a href=${' '.repeat(200_000)}`,
      `<p>${' href={"'.repeat(50_000)}`,
      `<p ${'src=a '.repeat(20_000)}`,
      `<img srcset="${'1'.repeat(100_000)},${', 1x'.repeat(20_000)}">`,
    ]) {
      likelyLinks(text);
      pageLinks(parsePage('p.md', text).tree, text);
    }
    expect(performance.now() - started).toBeLessThan(30_000);
  });
});
