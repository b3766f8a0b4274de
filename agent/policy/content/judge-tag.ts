import { isValue, textsOfExpression } from '../harmless.ts';
import { decode, isRemote, judgeAddress } from './addresses.ts';
import { type Report, squeeze } from './item.ts';
import type { Attribute, Tag } from './reading/read-tag.ts';
import {
  ADDRESS_ATTRIBUTES,
  EMBED_ELEMENTS,
  LINK_ATTRIBUTES,
  MEDIA_ELEMENTS,
  PROGRAM_ATTRIBUTES,
  SAFE_ATTRIBUTES,
  SAFE_COMPONENT_ATTRIBUTES,
  SAFE_COMPONENTS,
  SAFE_ELEMENTS,
  SCRIPT_ELEMENTS,
} from './safe-list.ts';
import { countWork } from './work.ts';

/** `once`, `only`: no names of events. */
const NO_HANDLERS = /^on(?:e|ce|ly|line)$/i;
/** Reaches out of its place, or loads something. */
const ACTIVE_STYLE =
  /url\s*\(|image(?:-set)?\s*\(|expression|behaviou?r|binding|@|\\|&|<|position\s*:\s*(?:fixed|absolute|sticky)/i;
const SCRIPT_WITHIN =
  /^[\p{Cc}\p{Cf}\p{Z}]*(?:java|vb|live)script[\p{Cc}\p{Cf}\p{Z}]*:(?!\s*[A-Z ])/iu;

/** Judges one tag: its name, then each attribute by its name and value. */
export function judgeTag(tag: Tag, text: string, at: number, report: Report): void {
  const { name, attributes } = tag;
  const source = text.slice(at, tag.end);
  if (SCRIPT_ELEMENTS.test(name)) return reportScript(name, text, at, tag.end, report);
  const addresses = attributes.filter(one => loads(name, one)).map(({ value }) => value);
  if (EMBED_ELEMENTS.test(name) || (!isSafeName(name) && addresses.some(isRemote))) {
    const what = EMBED_ELEMENTS.test(name) ? `an embed <${name}>` : `a remote <${name}>`;
    const key = `embed ${name} ${squeeze(addresses.join(' '))}`;
    const instead = 'Link to it instead.';
    report(at, { rule: 'embed', key, what, instead, hint: `<${name}` });
  } else if (!isSafeName(name)) reportName(name, at, report);
  for (const attribute of attributes) judgeAttribute(name, attribute, at, report, source);
}

function isSafeName(name: string): boolean {
  return SAFE_ELEMENTS.has(name.toLowerCase()) || SAFE_COMPONENTS.has(name);
}

function reportName(name: string, at: number, report: Report): void {
  const media = MEDIA_ELEMENTS.test(name);
  report(at, {
    rule: media ? 'embed' : 'markup',
    key: `tag ${name}`,
    what: `the tag <${name}>, which no page of the site uses`,
    instead: 'Use Markdown, or a tag that other pages use. Write `<` as &lt; to show it.',
    hint: `<${name}`,
  });
}

/** The whole element: what it runs is in its text. */
function reportScript(name: string, text: string, at: number, end: number, report: Report): void {
  const isVoid = /^(?:link|meta|base|basefont)$/i.test(name) || text.charAt(end - 2) === '/';
  const close = isVoid ? undefined : new RegExp(`</${name}\\s{0,100}>`, 'i').exec(text.slice(end));
  const stop = isVoid ? end : close ? end + close.index + close[0].length : text.length;
  countWork(stop - at);
  report(at, {
    rule: 'script',
    key: `element ${squeeze(text.slice(at, stop))}`,
    what: `an element <${name}>`,
    instead: 'Leave it out, or show it in a code block.',
    hint: `<${name}`,
  });
}

function judgeAttribute(
  tag: string,
  attribute: Attribute,
  at: number,
  report: Report,
  source: string,
): void {
  const { name, value, expression } = attribute;
  if (name === '/**/') return;
  const exact = `${tag} ${name}=${squeeze(value)}`;
  const hint = name === '...' ? value.slice(0, 40) : name;
  const say = (rule: 'script' | 'mdx-code' | 'markup', key: string, what: string): void =>
    report(at, { rule, key, what, instead: 'Leave it out.', hint });
  if (/^on/i.test(name) && !NO_HANDLERS.test(name))
    return say('script', `handler ${exact}`, `an event handler ${name}`);
  if (name === '...') return say('mdx-code', `spread ${exact}`, 'an expression');
  if (PROGRAM_ATTRIBUTES.test(name))
    return say('script', `program ${exact}`, `an attribute ${name}`);
  if (expression && !isValue(expression))
    return say('mdx-code', `expression ${exact}`, `an expression in attribute ${name}`);
  const texts = expression ? textsOfExpression(expression) : [value];
  for (const one of texts) judgeValue(tag, name, one, at, report);
  if (!isSafeAttribute(tag, name))
    report(at, {
      rule: 'markup',
      key: `attribute ${tag} ${name}`,
      what: `the attribute ${name} of <${tag}>, which no page of the site uses`,
      instead: 'Leave it out, or use one that other pages use.',
      hint: name,
    });
  // A backtick begins a code span for some, and is part of the value for others.
  if (!expression && value.includes('`'))
    say('markup', `ticks ${squeeze(source)}`, `a backtick in attribute ${name}`);
}

function isSafeAttribute(tag: string, name: string): boolean {
  const plain = name.toLowerCase();
  if (!isSafeName(tag)) return false;
  return (
    SAFE_ATTRIBUTES.has(plain) || (SAFE_COMPONENTS.has(tag) && SAFE_COMPONENT_ATTRIBUTES.has(plain))
  );
}

function loads(tag: string, { name }: Attribute): boolean {
  return ADDRESS_ATTRIBUTES.test(name) && (MEDIA_ELEMENTS.test(tag) || !LINK_ATTRIBUTES.test(name));
}

function judgeValue(tag: string, name: string, value: string, at: number, report: Report): void {
  if (/^style$/i.test(name) && (ACTIVE_STYLE.test(value) || /^(?:fixed|sticky)$/.test(value)))
    report(at, {
      rule: 'script',
      key: `style ${tag} ${squeeze(value)}`,
      what: 'a style that loads something or leaves its place',
      instead: 'Leave the style out.',
      hint: value.slice(0, 40),
    });
  else if (/^srcset$/i.test(name))
    for (const part of value.split(','))
      judgeAddress(part.trim().split(/\s/)[0] ?? '', at, 'an image', report);
  else if (ADDRESS_ATTRIBUTES.test(name) && /[:\\&%\p{Cc}]|(?:^|\/)\.[a-z_]/iu.test(value))
    judgeAddress(value, at, `an address in attribute ${name}`, report);
  else if (SCRIPT_WITHIN.test(decode(value)))
    judgeAddress(value, at, `an address in attribute ${name}`, report);
}
