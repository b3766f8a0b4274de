import { addressItem, isRemote } from './addresses.ts';
import { lineFrom } from './extent.ts';
import { type Report, squeeze } from './item.ts';

const LONGEST = 4_000;
/** Template tags whose arguments name files or code. */
const LOADS =
  /^(?:include|import|extends|render|call|set|macro|do|from|assign|capture|layout|partial|liquid|script|style|javascript|include[\w-]*|embed|remote[\w-]*|eval|read-?file|file|gist|jsfiddle|codepen|code-?(?:file|block)?|snippet[\w-]*|raw(?:html)?)$/i;
const CLOSINGS: readonly [string, string][] = [
  ['{%', '%}'],
  ['{{<', '>}}'],
  ['{{%', '%}}'],
  ['{#', '#}'],
  ['<%', '%>'],
  ['{!', '!}'],
  ['{{', '}}'],
];

/**
 * Reports the template's tag at `at`, as Vue, Jinja, Liquid, Markdoc, Hugo and mdBook know them: never
 * plain by itself, and known by its name if its arguments are words. Returns where it ends.
 */
export function judgeTemplate(text: string, at: number, report: Report): number {
  const [opening, closing] = CLOSINGS.find(([one]) => text.startsWith(one, at)) ?? ['{', '}'];
  const found = text.slice(at, at + LONGEST).indexOf(closing, opening.length);
  const end = found < 0 ? Math.max(lineFrom(text, at), at + 1) : at + found + closing.length;
  const source = text.slice(at, end);
  const inner = squeeze(source.slice(opening.length, found < 0 ? undefined : -closing.length));
  // Hugo shows `{{</* name */>}}` as it is.
  if (/^\{\{[<%]/.test(opening) && /^\/\*[^*{}]*\*\/$/.test(inner)) return end;
  const [name = ''] = /^[/#]?\s*[\w./:-]+/.exec(inner.replace(/[-\s]+$/, '')) ?? [];
  const word = name.replace(/^\/\s*/, '');
  const isNamed = found >= 0 && word !== '' && /^\{(?:%|\{[<%])/.test(opening);
  const args = inner.slice(name.length);
  // Hugo fails on a page that is not one of the site.
  const isPage = /^(?:rel)?ref$/.test(name) && /^[\w\s"'./#-]*$/.test(args);
  const exact = !isNamed || LOADS.test(name) || !(isPage || arePlain(args));
  report(at, {
    rule: 'template',
    key: `template ${exact ? squeeze(source) : `${opening} ${word}`}`,
    what: `a template's tag or expression (${squeeze(source).slice(0, 40)}), which no page of the site uses so`,
    instead: 'Show it in a code block, or leave it out.',
    hint: exact ? source.slice(0, 12) : word,
  });
  if (isNamed && !exact && !isPage) judgeArguments(`${opening} ${word}`, args, at, report);
  return end;
}

/** Each argument is known by its name, and a path in one stays inside. */
function judgeArguments(tag: string, args: string, at: number, report: Report): void {
  const what = 'an argument of a tag, which no page of the site uses so';
  const instead = 'Use the arguments that other pages use.';
  for (const [, name, double, single, bare] of args.matchAll(
    /(?:([\w-]+)\s*=\s*)?(?:"([^"]*)"|'([^']*)'|([^\s="']+))/g,
  )) {
    const value = double ?? single ?? bare ?? '';
    if (name !== undefined)
      report(at, { rule: 'template', key: `argument ${tag} ${name}`, what, instead, hint: name });
    const item = /^[\w.@~/\\-]*[/\\][\w.@~/\\-]*$/.test(value)
      ? addressItem(value, 'load', 'page.md')
      : undefined;
    if (item) report(at, { ...item, what: 'a path in an argument of a tag' });
  }
}

/** Arguments that are words and texts, and load nothing from elsewhere. */
function arePlain(args: string): boolean {
  const outside = args.replace(/"[^"<>\\]*"|'[^'<>\\]*'/g, '""');
  if (/[<>(){}|`\\]|\bon\w+\s*=/i.test(outside)) return false;
  return [...args.matchAll(/"([^"]*)"|'([^']*)'|([^\s="']+)/g)].every(
    ([, double, single, bare]) => {
      const value = double ?? single ?? bare ?? '';
      if (/[<>`]|(?:^|\/)\.\.?[a-z_/]/i.test(value)) return false;
      return !isRemote(value) || /^(?:https?:)?\/\/\S+\.(?:png|jpe?g|gif|webp|avif)$/i.test(value);
    },
  );
}

/** Marks by which some generator puts a file into the page, in code blocks and spans too. */
const INCLUDES: readonly RegExp[] = [
  /\{\{(?:[<%](?!\/\*)|\s*#\s*(?:include|rustdoc_include|playground|playpen|shiftinclude|template|title)\b)/g,
  /^[\s>]*-+8<-+/gm, // pymdownx.snippets
  /<!--\s*@include/g, // VitePress
  /^[\s>]*<<<(?!<)[ \t]*[@./~\w][^\n]*/gm, // VitePress
  /@\[code[^\]\n]*\]\(/g, // VuePress
  /\{![^\n{}!]*!\}/g, // markdown-include
  /\{@include/g, // TypeDoc
  /!\[\[/g, // Obsidian
  /^[\s>]*@include\(/gm, // VuePress
  /mdx-code-block/g, // Docusaurus
];
const OF_MDBOOK = /\{\{\s*#/g;
const TEMPLATES = /\{[{%#]/g;

/** What a generator looks for in code, too. `isTemplate`: a template engine reads the whole page. */
export function judgeInCode(
  code: string,
  offset: number,
  { isBook, isTemplate }: { isBook: boolean; isTemplate: boolean },
  report: Report,
): void {
  const patterns = [
    ...INCLUDES,
    ...(isBook ? [OF_MDBOOK] : []),
    ...(isTemplate ? [TEMPLATES] : []),
  ];
  for (const pattern of patterns)
    for (const { index, 0: mark } of code.matchAll(pattern)) {
      const lead = /^\s*>*\s*/.exec(mark)?.[0].length ?? 0;
      const at = index + lead;
      if (code.startsWith('{', at)) judgeTemplate(code, at, (_, one) => report(offset + at, one));
      else reportMark(code, at, offset, report);
    }
}

function reportMark(text: string, at: number, offset: number, report: Report): void {
  const source = squeeze(text.slice(at, Math.max(lineFrom(text, at), at + 12)));
  report(offset + at, {
    rule: 'template',
    key: `snippet ${source}`,
    what: 'a mark that includes another file',
    instead: 'Write the text itself.',
    hint: source.slice(0, 12),
  });
}

/** A mark in text that begins something; returns where its line ends. */
export function judgeMark(text: string, at: number, report: Report): number {
  reportMark(text, at, 0, report);
  return lineFrom(text, at);
}
