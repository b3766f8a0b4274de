import { parsePage, walk } from '../sites/markdown.ts';

/** Invisible, and enough that a repository host no longer reads `@name` or `#12` as a reference. */
const BREAK = '\u200b';

/**
 * A pull request's body as plain Markdown: it mentions nobody, refers to and closes nothing, has
 * no HTML, no comments and no images (they become links). Code stays as it is, since hosts look for
 * nothing in it.
 */
export function neutralise(markdown: string): string {
  const visible = stripInvisible(markdown);
  // What is below changes nothing without one of these, and parses five times.
  if (!/[&\\<!@#`~]|https?:|GH-/i.test(visible)) return visible;
  const clean = outsideCode(visible, decodeReferences);
  // Each pass can make new code or new tags out of what it leaves, so that each reads the result of
  // the one before.
  const bare = outsideCode(clean, text =>
    text
      .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
      .replace(/<(?![a-z][a-z\d+.-]{1,31}:[^\s<>]*>)[a-z/!?][^<>]*>/gi, ''),
  );
  const escaped = outsideCode(bare, text =>
    text
      .replace(/<(?=[a-z/!?])(?![a-z][a-z\d+.-]{1,31}:[^\s<>]*>)/gi, '&lt;')
      .replace(/!+(?=\[)/g, ''),
  );
  return closeFence(outsideCode(escaped, breakReferences));
}

/**
 * A title or commit message, in which hosts find references also between backticks; trailers that
 * claim authors, reviewers or switch checks off are broken too.
 */
export function neutralisePlain(text: string): string {
  return breakReferences(stripInvisible(text).replace(/<!--[\s\S]*?(?:-->|$)/g, ''))
    .replace(/\[((?:skip|no)[ -]?(?:ci|actions)|(?:ci|actions)[ -]skip)\]/gi, '($1)')
    .replace(/^([ \t]*)((?:[a-z]+-)+by|skip-checks|request-checks)[ \t]*:/gim, `$1$2${BREAK}:`);
}

/** The address of an issue or pull request on any host, up to its number. */
const THREAD_ELSEWHERE = new RegExp(
  String.raw`(https?:\/\/(?!redirect\.github\.com\/)[^\s/]+\/[^\s/]+\/[^\s/]+\/(?:-\/)?` +
    String.raw`(?:issues|pull|discussions|merge_requests)\/)(?=\d)`,
  'gi',
);

function breakReferences(text: string): string {
  return text
    .replace(
      /https?:\/\/(?:www\.)?github\.com(?=\/[^\s/]+\/[^\s/]+\/(?:issues|pull|discussions)\/\d)/gi,
      'https://redirect.github.com',
    )
    .replace(THREAD_ELSEWHERE, `$1${BREAK}`)
    .replace(/(?<![A-Za-z0-9])@(?=[A-Za-z0-9])/g, `@${BREAK}`)
    .replace(/(?<!&)#(?=\d)/g, `#${BREAK}`)
    .replace(/\bGH-(?=\d)/gi, `GH${BREAK}-`);
}

/**
 * Characters that are spelled so that only the rendered page shows them; those with a meaning in
 * Markdown stay.
 */
function decodeReferences(text: string): string {
  return text
    .replace(/&(commat|num);/g, (_, name: string) => (name === 'num' ? '#' : '@'))
    .replace(
      /&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi,
      (entity, hex: string | undefined, decimal: string | undefined) => {
        const character = String.fromCodePoint(
          Math.min(hex === undefined ? Number(decimal) : parseInt(hex, 16), 0x10ffff),
        );
        return /[\w@#/-]/.test(character) ? character : entity;
      },
    )
    .replace(/\\([@#])/g, '$1');
}

/** A code block that is left open would swallow the footer that follows. */
function closeFence(markdown: string): string {
  const last = parsePage('body.md', `\n${markdown}`).tree.children.at(-1);
  if (last?.type !== 'code') return markdown;
  const lines = markdown
    .slice((last.position?.start.offset ?? 1) - 1)
    .trimEnd()
    .split('\n');
  const [, fence] = /^ *(`{3,}|~{3,})/.exec(lines[0] ?? '') ?? [];
  const isClosed =
    lines.length > 1 &&
    fence !== undefined &&
    /^ {0,3}(`+|~+)\s*$/.exec(lines.at(-1) ?? '')?.[1]?.startsWith(fence) === true;
  return fence === undefined || isClosed ? markdown : `${markdown.replace(/\n*$/, '')}\n${fence}\n`;
}

/** Direction changes and other invisible characters hide what a reader should see. */
function stripInvisible(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\p{Cc}\p{Cf}]/gu, character =>
      character === '\n' || character === '\t' || character === '\u200d' ? character : '',
    );
}

/** Changes what is neither a code block nor inline code. */
function outsideCode(markdown: string, change: (text: string) => string): string {
  let result = '';
  let from = 0;
  for (const node of walk(parsePage('body.md', `\n${markdown}`).tree)) {
    if (node.type !== 'code' && node.type !== 'inlineCode') continue;
    const start = (node.position?.start.offset ?? 1) - 1;
    const end = (node.position?.end.offset ?? 1) - 1;
    if (start < from) continue;
    result += change(markdown.slice(from, start)) + markdown.slice(start, end);
    from = end;
  }
  return result + change(markdown.slice(from));
}
