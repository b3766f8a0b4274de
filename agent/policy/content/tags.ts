import { judgeAddress } from './addresses.ts';
import { type PageReading, type Report, squeeze } from './item.ts';
import { extentOf } from './extent.ts';
import {
  ACTIVE_NAME,
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
import { isPlainClass, isPlainStyle } from './styles.ts';
import { plainText } from './plain-text.ts';

export interface Attribute {
  name: string;
  /** Without quotes; with braces if it is in braces. '' without one. */
  value: string;
  braces: boolean;
}

export interface Tag {
  name: string;
  attributes: Attribute[];
  /** Offset behind the `>`. */
  end: number;
}

const NAME = /<([A-Za-z][\w.-]*)/y;
const SPACE = /(?:[ \t]|\r?\n(?![ \t]*\r?\n))+/y;
const END = /\/?>/y;
const ATTRIBUTE =
  /([^\s"'<>/={}`\\]+)(?:=(?:"((?:[^"\n]|\n(?![ \t\r]*\n))*)"|'([^'\n]*)'|(?=(\{))|([\w.%#-]+)(?=[\s>])))?(?=[\s{/>])/y;
/** Values in braces that only state something: texts, numbers, lists and objects of them. */
const LITERAL =
  /^\{(?:\s|[[\]{},]|"[^"\\<>`\n]*"|'[^'\\<>`\n]*'|-?\d+(?:\.\d+)?\b|(?:true|false|null)\b|(?!__)[A-Za-z_$][\w$]*(?=\s?:)|(?<=[\w"'$]\s?):)*\}$/;

/** The tag at `at` in its one spelling: one name, attributes behind single spaces or line ends. */
export function readTag(text: string, at: number): Tag | undefined {
  let end = at;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = end;
    const found = pattern.exec(text);
    if (found) end += found[0].length;
    return found;
  };
  const name = take(NAME)?.[1];
  if (name === undefined) return undefined;
  const attributes: Attribute[] = [];
  for (;;) {
    const space = take(SPACE);
    if (take(END)) return { name, attributes, end };
    if (!space || end - at > 20_000) return undefined;
    const found = take(ATTRIBUTE);
    const brace = found ? found[4] !== undefined : text.charAt(end) === '{';
    if (!found && !brace) return undefined;
    const stop = brace ? extentOf(text, end) : end;
    if (stop === undefined) return undefined;
    const value = brace ? text.slice(end, stop) : (found?.[2] ?? found?.[3] ?? found?.[5] ?? '');
    attributes.push({ name: found?.[1] ?? '...', value, braces: brace });
    end = stop;
  }
}

const LESS_THAN = /<|&(?:lt|#0*60|#x0*3c)\b/i; // a type may be `Map<a, b>`
/** In braces. */
const ELEMENT = /^\{<([A-Z]\w*) ?\/>\}$/;

export function isSafeName(name: string): boolean {
  return SAFE_ELEMENTS.has(name) || SAFE_COMPONENTS.has(name);
}

/** Judges one tag: its name, then each attribute by its name and value. Returns where it ends. */
export function judgeTag(
  tag: Tag,
  text: string,
  at: number,
  reading: PageReading,
  report: Report,
): number {
  const { name, attributes } = tag;
  if (SCRIPT_ELEMENTS.test(name)) return reportScript(name, text, at, tag.end, report);
  const source = squeeze(text.slice(at, tag.end));
  const loads = attributes.filter(one => isLoad(name, one)).map(({ value }) => value);
  const isRemote = !isSafeName(name) && loads.some(one => /:|^[\\/]{2}/.test(one));
  const say = (rule: 'embed' | 'markup', key: string, what: string, instead: string) =>
    report(at, { rule, key, what, instead, hint: `<${name}` });
  if (EMBED_ELEMENTS.test(name) || isRemote)
    say('embed', `embed ${name} ${loads.join(' ')}`, `an embed <${name}>`, 'Link to it instead.');
  else if (!isSafeName(name) && (attributes.length > 0 || !isBareWord(name, reading)))
    say(
      MEDIA_ELEMENTS.test(name) ? 'embed' : 'markup',
      `tag ${name}`,
      `the tag <${name}>, which no other page of the site uses`,
      'Use Markdown, or a tag that other pages use. Write `<` as &lt; to show it.',
    );
  for (const one of attributes) judgeAttribute(name, one, source, { at, text, reading, report });
  return tag.end;
}

/** `<name>` in prose: nothing knows it, and without attributes it does nothing. */
function isBareWord(name: string, { mdx, mayBeMdx, kinds }: PageReading): boolean {
  // A site that is known to read its pages as MDX would no longer build.
  const breaks = mdx || (mayBeMdx && kinds.some(kind => kind !== 'folder'));
  return (
    !breaks && !kinds.includes('vitepress') && /^[a-z]+$/.test(name) && !ACTIVE_NAME.test(name)
  );
}

/** The whole element: what it runs is in its text. */
function reportScript(name: string, text: string, at: number, end: number, report: Report) {
  const isVoid = /^(?:link|meta|base|basefont)$/i.test(name) || text.charAt(end - 2) === '/';
  const rest = isVoid ? '' : text.slice(end, end + 100_000);
  const close = isVoid ? null : new RegExp(`</${name}\\s{0,100}>`, 'i').exec(rest);
  const stop = isVoid ? end : close ? end + close.index + close[0].length : text.length;
  report(at, {
    rule: 'script',
    key: `element ${squeeze(text.slice(at, stop))}`,
    what: `an element <${name}>`,
    instead: 'Leave it out, or show it in a code block.',
    hint: `<${name}`,
  });
  return stop;
}

/** `once`, `only`: no names of events. */
const HANDLER = /^on(?!(?:e|ce|ly|line)$)/i;

interface Place {
  at: number;
  text: string;
  reading: PageReading;
  report: Report;
}

function judgeAttribute(tag: string, one: Attribute, source: string, place: Place): void {
  const { name, value, braces } = one;
  const { at, report } = place;
  const exact = `${tag} ${name}=${squeeze(value)}`;
  const hint = name === '...' ? value.slice(0, 40) : name;
  const say = (rule: 'script' | 'mdx-code' | 'markup', key: string, what: string): void =>
    report(at, { rule, key, what, instead: 'Leave it out.', hint });
  if (HANDLER.test(name)) return say('script', `handler ${exact}`, `an event handler ${name}`);
  if (name === '...') {
    if (/^\{\/\*[^*<>{}]*\*\/\}$/.test(value)) return;
    return say('mdx-code', `spread ${exact}`, 'an expression');
  }
  if (PROGRAM_ATTRIBUTES.test(name))
    return say('script', `program ${exact}`, `an attribute ${name}`);
  // A component that the site has, without more.
  const [, component] = (braces && ELEMENT.exec(value)) || [];
  if (component !== undefined) {
    const element = { name: component, attributes: [], end: at };
    judgeTag(element, place.text, at, place.reading, report);
  } else if (braces && !LITERAL.test(value)) {
    const rule = /script\s*:/i.test(value) ? 'script' : 'mdx-code';
    return say(rule, `expression ${exact}`, `an expression in attribute ${name}`);
  }
  // Some components write a text as HTML.
  if (/^[A-Z]/.test(tag) && name !== 'type' && LESS_THAN.test(value))
    return say('script', `markup ${exact}`, `markup in attribute ${name}`);
  const plain = name.toLowerCase();
  const isSafe =
    isSafeName(tag) &&
    (SAFE_ATTRIBUTES.has(plain) ||
      (SAFE_COMPONENTS.has(tag) && SAFE_COMPONENT_ATTRIBUTES.has(plain)));
  if (!isSafe)
    report(at, {
      rule: 'markup',
      key: `attribute ${tag} ${name}`,
      what: `the attribute ${name} of <${tag}>, which no other page of the site uses`,
      instead: 'Leave it out, or use one that other pages use.',
      hint: name,
    });
  if (component === undefined) judgeValue(tag, one, source, place);
}

function isLoad(tag: string, { name }: Attribute): boolean {
  return ADDRESS_ATTRIBUTES.test(name) && (MEDIA_ELEMENTS.test(tag) || !LINK_ATTRIBUTES.test(name));
}

function judgeValue(tag: string, one: Attribute, source: string, place: Place): void {
  const { at, reading, report } = place;
  const { name, braces, value } = one;
  const texts = braces ? [...value.matchAll(/"([^"]*)"|'([^']*)'/g)].map(textOf) : [value];
  if (/^style$/i.test(name) && !isPlainStyle(value))
    report(at, {
      rule: 'script',
      key: `style ${squeeze(value)}`,
      what: 'a style that is not plain',
      instead: 'Leave the style out, or set colours and sizes only.',
      hint: value.slice(0, 40),
    });
  else if (/^class(?:name)?$/i.test(name)) judgeClasses(texts.join(' '), place);
  else if (/^icon$/i.test(name) && texts.some(text => /:|^[\\/]{2}/.test(text)))
    report(at, {
      rule: 'embed',
      key: `icon ${squeeze(value)}`,
      what: 'an icon from elsewhere',
      instead: 'Use the name of an icon, or an image of the site.',
      hint: value.slice(0, 40),
    });
  else if (/^icon$/i.test(name) && texts.some(text => /^[\w-]*$/.test(text))) return;
  else if (isAddress(name, tag)) {
    const use = isLoad(tag, one) ? 'load' : 'link';
    const what = `an address in attribute ${name}`;
    const parts = /^srcset$/i.test(name) ? value.split(',').map(firstWord) : texts;
    for (const text of parts) judgeAddress(text, use, { at, what, from: reading.path }, report);
  } else if (!braces && !plainText(value, { generics: true }))
    report(at, {
      rule: /script\s*:/i.test(value) ? 'script' : 'markup',
      key: `value ${source}`,
      what: `a value of attribute ${name} that is not plain text`,
      instead: 'Write words, without markup, braces and backticks.',
      hint: value.slice(0, 40),
    });
}

function isAddress(name: string, tag: string): boolean {
  return ADDRESS_ATTRIBUTES.test(name) || (/^icon$/i.test(name) && SAFE_COMPONENTS.has(tag));
}

function textOf([, double, single]: RegExpMatchArray): string {
  return double ?? single ?? '';
}

function firstWord(text: string): string {
  return text.trim().split(/\s/)[0] ?? '';
}

type ClassPlace = Pick<Place, 'at' | 'report'>;

/** Judges classes with spaces between them. */
export function judgeClasses(words: string, { at, report }: ClassPlace): void {
  for (const word of words.split(/\s+/)) {
    if (isPlainClass(word)) continue;
    report(at, {
      rule: 'script',
      key: `class ${word}`,
      what: `the class ${word}, which no other page of the site uses and which may move what it is on`,
      instead: 'Leave the class out.',
      hint: word,
    });
  }
}

/** Judges the classes that some directives of Sphinx and MyST name behind them. */
export function judgeClassDirective(name: string, argument: string, place: ClassPlace): void {
  if (/^(?:div|container|(?:rst-|css)?class)$/.test(name)) judgeClasses(argument.trim(), place);
}
