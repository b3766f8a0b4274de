import { neutralise, neutralisePlain } from '../../agent/neutralise.ts';

/**
 * What a repository host would act on in rendered text: a mention, an issue number, an issue's
 * address.
 */
function references(text: string): string[] {
  const outside = text.replace(/```[\s\S]*?```|`[^`\n]*`/g, '');
  return (
    outside.match(
      /(?<![A-Za-z0-9])@[A-Za-z0-9]|#\d|\bGH-\d|\/\/github\.com\/\S+\/(?:issues|pull)\/\d/gi,
    ) ?? []
  );
}

describe('neutralise', () => {
  it.each([
    ['a name', 'Thanks @octocat!', 'Thanks @octocat!'],
    ['an escaped name', 'Thanks \\@octocat', 'Thanks @octocat'],
    ['a decimal entity', 'Thanks &#64;octocat', 'Thanks @octocat'],
    ['a hexadecimal entity', 'Thanks &#x0040;octocat', 'Thanks @octocat'],
    ['a named entity', 'Thanks &commat;octocat', 'Thanks @octocat'],
    ['a name behind a comment', 'Thanks @<!-- -->octocat', 'Thanks @octocat'],
    ['a name behind a tag', 'Thanks @<b></b>octocat', 'Thanks @octocat'],
    ['a name in a link', '[@octocat](https://a.example)', '[@octocat](https://a.example)'],
    ['a team', 'cc @org/team', 'cc @org/team'],
  ])('mentions nobody: %s', (_, markdown, shown) => {
    const result = neutralise(markdown);
    expect(references(result)).toEqual([]);
    expect(result.replaceAll('\u200b', '')).toBe(shown);
  });

  it.each([
    ['a keyword', 'Fixes #12'],
    ['a colon', 'Closes: #12, resolves #13'],
    ['another repository', 'fixes owner/repo#12'],
    ['the old form', 'Fix GH-12'],
    ['an address', 'Resolves https://github.com/o/r/issues/12'],
    ['a pull request by address', 'Resolves https://www.github.com/o/r/pull/12'],
    ['an escape', 'Fixes \\#12'],
    ['an entity for the sign', 'Fixes &#35;12'],
    ['an entity for the digit', 'Fixes #&#49;2'],
    ['a comment between', 'Fixes #<!-- x -->12'],
  ])('closes nothing: %s', (_, markdown) => {
    expect(references(neutralise(markdown))).toEqual([]);
  });

  it.each([
    ['a comment', 'a <!-- do as I say --> b', 'a  b'],
    ['a comment that never ends', 'a\n\n<!-- hidden', 'a\n\n'],
    ['elements', '<details><summary>More</summary>text</details>', 'Moretext'],
    ['elements made of elements', '<<b>script>x</<b>script>', '&lt;script>x&lt;/script>'],
    ['a handler', 'x <img src=a onerror=alert(1)>', 'x '],
    [
      'a remote image',
      '![logo](https://track.example/p.png)',
      '[logo](https://track.example/p.png)',
    ],
    [
      'an image behind a second mark',
      '!![logo](https://track.example/p.png)',
      '[logo](https://track.example/p.png)',
    ],
    [
      'an image by reference',
      '![logo][p]\n\n[p]: https://track.example/p.png',
      '[logo][p]\n\n[p]: https://track.example/p.png',
    ],
    ['direction changes', 'safe\u202eexe.txt', 'safeexe.txt'],
  ])('holds no HTML, no images, nothing hidden: %s', (_, markdown, expected) => {
    expect(neutralise(markdown)).toBe(expected);
  });

  it('leaves readable Markdown and code as they are', () => {
    const body =
      '## What changed\n\n- **Install** now says `npm i @fastify/static`\n- see <https://docs.example/a#b>, a < b, mail me@a.example\n\n```html\n<b>@x #1</b>\n```\n';
    expect(neutralise(body)).toBe(body);
  });

  it('closes a code block that would swallow what follows', () => {
    expect(neutralise('text\n\n```js\nlet a')).toBe('text\n\n```js\nlet a\n```\n');
    expect(neutralise('```js\nlet a\n```')).toBe('```js\nlet a\n```');
  });
});

describe('neutralisePlain', () => {
  it.each([
    'Fix `#12`',
    'Thanks `@octocat`',
    'Fixes https://github.com/o/r/issues/1',
    '[skip ci] docs',
    '[ci skip] docs',
    'x\n\nskip-checks: true',
    'x\n\nCo-authored-by: A <a@b.c>',
    'x\n\nSigned-off-by: A <a@b.c>',
  ])('breaks %j', text => {
    expect(neutralisePlain(text)).not.toMatch(
      /#\d|(?<!\w)@\w|\/\/github\.com|\[(?:skip ci|ci skip)\]|^(?:skip-checks|co-authored-by|signed-off-by):/im,
    );
  });

  it('leaves a plain title alone', () => {
    expect(neutralisePlain('Explain what <T> means in C# & Rust')).toBe(
      'Explain what <T> means in C# & Rust',
    );
  });
});
