import { isRemote } from '../addresses.ts';
import { type Report, squeeze } from '../item.ts';
import { countWork } from '../work.ts';

const LONGEST = 4_000;
/** Of one that does not end: so much of it is remembered. */
const UNENDED = 200;
/** Template tags whose arguments name files or code. */
const LOADS =
  /^(?:include|import|extends|render|call|set|macro|do|from|assign|capture|layout|partial|liquid|script|style|javascript|include[\w-]*|embed|remote[\w-]*|eval|read-?file|file|gist|jsfiddle|codepen|code-?(?:file|block)?|snippet[\w-]*|raw(?:html)?)$/i;

/**
 * Judges a template's tag at `at`, as Vue, Jinja, Liquid, Markdoc, Hugo and mdBook know them.
 * Returns where it ends, or undefined if none begins there.
 */
export function judgeTemplate(text: string, at: number, report: Report): number | undefined {
  const opening = /^\{(?:\{[<%]?|%-?)/.exec(text.slice(at, at + 3))?.[0];
  if (opening === undefined) return undefined;
  const closing = opening.startsWith('{%')
    ? '%}'
    : opening === '{{<'
      ? '>}}'
      : opening === '{{%'
        ? '%}}'
        : '}}';
  const found = text.slice(at, at + LONGEST + closing.length).indexOf(closing, opening.length);
  const whole = found >= 0;
  const end = whole ? at + found + closing.length : Math.min(text.length, at + opening.length);
  const source = text.slice(at, whole ? end : at + UNENDED);
  countWork(source.length);
  const shown = squeeze(source);
  const inner = whole ? squeeze(source.slice(opening.length, -closing.length)) : '';
  // Escaped: Hugo shows `{{</* name */>}}` as it is.
  if (/^\/\*.*\*\/$/.test(inner)) return end;
  const [name = ''] = /^[/#]?\s*[\w./:-]+/.exec(inner.replace(/[-\s]+$/, '')) ?? [];
  const exact =
    opening === '{{' || !whole || name === '' || !isPlain(name, inner.slice(name.length));
  const word = name.replace(/^\/\s*/, '');
  report(at, {
    rule: 'template',
    key: exact ? `template ${shown}` : `template ${opening.slice(0, 2)} ${word}`,
    what: `a template's tag or expression (${shown.slice(0, 40)}), which no page of the site uses so`,
    instead: 'Show it in a code block, or leave it out.',
    hint: exact ? source.slice(0, 12) : word,
  });
  return end;
}

/** Arguments that are words and texts, and load nothing from elsewhere. */
function isPlain(name: string, args: string): boolean {
  if (
    LOADS.test(name) ||
    /[<>(){}|`]|\bon\w+\s*=/i.test(args.replace(/"[^"<>]*"|'[^'<>]*'/g, '""'))
  )
    return false;
  for (const [, double, single, bare] of args.matchAll(/"([^"]*)"|'([^']*)'|([^\s="']+)/g)) {
    const value = double ?? single ?? bare ?? '';
    if (/[<>`]|(?:^|\/)\.[a-z_]/i.test(value)) return false;
    if (isRemote(value) && !/^(?:https?:)?\/\/[^\s]+\.(?:png|jpe?g|gif|webp|avif)$/i.test(value))
      return false;
  }
  return true;
}

/** Every template of a page that a template engine reads before Markdown does. */
export function judgeTemplatesEverywhere(text: string, report: Report): void {
  // What is raw is shown as it is; the tags around it are judged with the text.
  const shown = text.replace(
    /(\{%-?\s{0,20}raw\s{0,20}-?%\})([^]*?)(\{%-?\s{0,20}endraw)/g,
    whole => whole.replace(/[{}]/g, ' '),
  );
  for (const match of shown.matchAll(/\{[{%]/g)) judgeTemplate(shown, match.index, report);
}

/** Braces that only show once the page is rendered: Vue reads them then. */
export function judgeHiddenBraces(text: string, at: number, report: Report): void {
  if (!/\\\{|&(?:#0*123|#x0*7b|lcub|lbrace)\b/i.test(text)) return;
  const shown = text.replace(/&(?:#0*123|#x0*7b|lcub|lbrace);?|\\\{/gi, '{');
  const braces = shown.indexOf('{{');
  // Those in plain sight are judged by themselves.
  if (shown.split('{{').length <= text.split('{{').length) return;
  report(at, {
    rule: 'template',
    key: `template ${squeeze(shown.slice(braces, braces + 200))}`,
    what: 'two braces, which some renderers read as an expression',
    instead: 'Show it in a code block.',
    hint: '{',
  });
}
