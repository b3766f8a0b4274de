import type { SiteKindName } from '../../../sites/kinds/registry.ts';
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
  const source = squeeze(text.slice(at, end));
  // Hugo shows `{{</* name */>}}` as it is, and fails on a reference to a page that is not there.
  if (SHOWN.test(source) || REFERENCE.test(source)) return end;
  const inner = source.slice(opening.length, found < 0 ? undefined : -closing.length).trim();
  const [name = ''] = /^[/#]?\s*[\w./:-]+/.exec(inner.replace(/[-\s]+$/, '')) ?? [];
  const word = name.replace(/^\/\s*/, '');
  const isNamed = found >= 0 && word !== '' && /^\{(?:%|\{[<%])/.test(opening);
  const args = inner.slice(name.length);
  // One that climbs is known by the site's use of such references.
  const isPage = /^(?:rel)?ref$/.test(name) && /^[\w\s"'./#-]*$/.test(args);
  const known = isNamed && !LOADS.test(name) && (isPage ? [] : argumentsOf(args));
  const say = (key: string, what: string, hint: string): void =>
    report(at, {
      rule: 'template',
      key,
      what: `${what}, which no page of the site uses so`,
      instead: 'Show it in a code block, or leave it out.',
      hint,
    });
  const shown = `a template's tag or expression (${source.slice(0, 40)})`;
  if (!known) say(`template ${source}`, shown, opening);
  else say(`template ${opening} ${word}`, shown, word);
  for (const { argument, value } of known || []) {
    // A link of another host is a link; what else is there may be loaded.
    const isLink = argument === 'link' || argument === 'href';
    const host = isRemote(value) && !IMAGE.test(value) ? ` ${originOf(isLink, value)}` : '';
    if (argument !== undefined || host !== '')
      say(
        `argument ${opening} ${word} ${argument}${host}`,
        'an argument of a tag',
        argument ?? value,
      );
    const isPath = !isLink && /^[\w.@~/\\-]*[/\\][\w.@~/\\-]*$/.test(value);
    const item = isPath ? addressItem(value, 'load', 'page.md') : undefined;
    if (item) report(at, { ...item, what: 'a path in an argument of a tag' });
  }
  return end;
}

const SHOWN = /^\{\{[<%]\s*\/\*[^*{}]*\*\/\s*[>%]\}\}$/;
const REFERENCE = /^\{\{[<%] (?:rel)?ref (?!.*\.\.)(?:"[\w ./#-]+"|[\w./#-]+) [>%]\}\}$/i;
const IMAGE = /^(?:https?:)?\/\/\S+\.(?:png|jpe?g|gif|webp|avif)$/i;
const ARGUMENT = /(?:([\w-]+)\s*=\s*)?(?:"([^"]*)"|'([^']*)'|([^\s="']+))/g;

function originOf(isLink: boolean, value: string): string {
  if (isLink && /^https?:\/\//.test(value)) return 'https:';
  return /^https?:\/\/[\w.-]+(?=\/|$)/.exec(value)?.[0] ?? value;
}

/** Undefined unless they are words and texts, without markup and names of hidden files. */
function argumentsOf(args: string): { argument: string | undefined; value: string }[] | undefined {
  const outside = args.replace(/"[^"<>\\]*"|'[^'<>\\]*'/g, '""');
  if (/[<>(){}|`\\]|\bon\w+\s*=/i.test(outside)) return undefined;
  const all = [...args.matchAll(ARGUMENT)].map(([, argument, double, single, bare]) => ({
    argument,
    value: double ?? single ?? bare ?? '',
  }));
  return all.some(({ value }) => /[<>`]|(?:^|\/)\.[a-z_]/i.test(value)) ? undefined : all;
}

const VUE = ['vitepress'] as const;
/**
 * Marks by which some generator puts a file into the page, in code blocks and spans too; and the kinds
 * of sites that have such a generator, beside those of whose build nothing is known.
 */
const INCLUDES: readonly [RegExp, readonly SiteKindName[]][] = [
  [/\{\{[<%](?!\/\*)/g, ['hugo']],
  [
    /\{\{\s*#(?=\s*(?:include|rustdoc_include|playground|playpen|shiftinclude|template|title)\b)/g,
    [],
  ],
  [/^[\s>]*-+8<-+/gm, ['mkdocs']], // pymdownx.snippets
  [/<!--\s*@include/g, VUE],
  [/^[\s>]*<<<(?!<)[ \t]*[@./~\w][^\n]*/gm, VUE],
  [/@\[code[^\]\n]*\]\(/g, VUE], // VuePress, and an extension of VitePress
  [/^[\s>]*@include\(/gm, VUE], // VuePress
  [/\{![^\n{}!]*!\}/g, ['mkdocs']], // markdown-include
  [/\{@include/g, ['docusaurus', 'vitepress']], // TypeDoc
  [/!\[\[/g, ['mkdocs', 'hugo', 'vitepress']], // Obsidian
  [/mdx-code-block/g, ['docusaurus']],
  [/<!--\s*cmdrun/g, ['mdbook']],
  [/@from_(?:file|url):/g, ['mkdocs']], // Kroki
];
/** Marks of plugins that read whole pages. */
const OF_PLUGINS: typeof INCLUDES = [
  [/!!swagger/g, ['mkdocs']],
  [/!\[type:/g, ['mkdocs']],
];
const OF_MDBOOK = /\{\{\s*#\w+\s+[^}]/g;
/** The id of a heading is none: it has no end. */
const TEMPLATES = /\{[{%]|\{#(?![\w.:-]+\})/g;

/** What a generator looks for in code, too. */
export function judgeInCode(
  code: string,
  offset: number,
  kinds: readonly SiteKindName[],
  report: Report,
): void {
  const isUnknown = kinds.length === 0 || kinds.some(kind => /^(?:docs\.json|folder)$/.test(kind));
  for (const [pattern, readers] of INCLUDES)
    if (isUnknown || kinds.some(kind => readers.includes(kind)))
      judgeMatches(code, pattern, offset, report);
  if (kinds.includes('mdbook')) judgeMatches(code, OF_MDBOOK, offset, report);
}

export function judgePlugins(body: string, kinds: readonly SiteKindName[], report: Report): void {
  for (const [pattern, readers] of OF_PLUGINS)
    if (kinds.some(kind => readers.includes(kind))) judgeMatches(body, pattern, 0, report);
}

/** For a template engine that reads whole pages. */
export function judgeTemplates(body: string, report: Report): void {
  judgeMatches(body, TEMPLATES, 0, report);
}

function judgeMatches(code: string, pattern: RegExp, offset: number, report: Report): void {
  for (const { index, 0: mark } of code.matchAll(pattern)) {
    const at = index + (/^\s*>*\s*/.exec(mark)?.[0].length ?? 0);
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
