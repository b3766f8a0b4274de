import { judgeAddress } from './judge-address.ts';
import { type ContentRule, type PageReading, type Report, squeeze } from './item.ts';
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
  const { name, attributes, end } = tag;
  if (SCRIPT_ELEMENTS.test(name)) return reportScript(name, text, at, end, report);
  const place = { at, text, source: squeeze(text.slice(at, end)), reading, report };
  const loads = attributes.filter(one => isLoad(name, one)).map(({ value }) => value);
  const isKnown = isSafeName(name) || reading.imported.has(name);
  const isRemote = !isSafeName(name) && loads.some(one => /:|^[\\/]{2}/.test(one));
  if (EMBED_ELEMENTS.test(name) || isRemote)
    say(place, 'embed', `embed ${name} ${loads.join(' ')}`, `an embed <${name}>`, `<${name}`);
  else if (!isKnown && (attributes.length > 0 || !isBareWord(name, reading)))
    say(
      place,
      MEDIA_ELEMENTS.test(name) ? 'embed' : 'markup',
      `tag ${name}`,
      `the tag <${name}>, which no page of the site uses`,
      `<${name}`,
    );
  for (const one of attributes) judgeAttribute(name, one, place);
  return end;
}

interface ClassPlace {
  at: number;
  report: Report;
}

interface Place extends ClassPlace {
  text: string;
  /** Of the whole tag. */
  source: string;
  reading: PageReading;
}

const INSTEAD: Partial<Record<ContentRule, string>> = {
  embed: 'Link to it instead, or show an image of the site.',
  markup: 'Use Markdown, or what other pages use. Write `<` as &lt; to show it.',
};

function say(
  { at, report }: ClassPlace,
  rule: ContentRule,
  key: string,
  what: string,
  hint: string,
): void {
  report(at, { rule, key, what, instead: INSTEAD[rule] ?? 'Leave it out.', hint });
}

/** `<name>` in prose: nothing knows it, and without attributes it does nothing. */
function isBareWord(name: string, { mdx, mayBeMdx, kinds }: PageReading): boolean {
  // A site that is known to read its pages as MDX would no longer build.
  const breaks = mdx || (mayBeMdx && kinds.some(kind => kind !== 'folder'));
  return (
    !breaks &&
    !kinds.includes('vitepress') &&
    /^[a-z]+(?:_[a-z]+)*$/.test(name) &&
    !ACTIVE_NAME.test(name)
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

function judgeAttribute(tag: string, one: Attribute, place: Place): void {
  const { name, value, braces } = one;
  const exact = `${tag} ${name}=${squeeze(value)}`;
  const shown = `attribute ${name}`;
  if (HANDLER.test(name))
    return say(place, 'script', `handler ${exact}`, `an event handler ${name}`, name);
  if (name === '...') {
    if (/^\{\/\*[^*<>{}]*\*\/\}$/.test(value)) return;
    return say(place, 'mdx-code', `spread ${exact}`, 'an expression', value.slice(0, 40));
  }
  if (PROGRAM_ATTRIBUTES.test(name))
    return say(place, 'script', `program ${exact}`, `an ${shown}`, name);
  // A component that the site has, without more.
  const [, component] = (braces && ELEMENT.exec(value)) || [];
  if (component !== undefined) {
    const element = { name: component, attributes: [], end: place.at };
    judgeTag(element, place.text, place.at, place.reading, place.report);
  } else if (braces && !LITERAL.test(value)) {
    const rule = /script\s*:/i.test(value) ? 'script' : 'mdx-code';
    return say(place, rule, `expression ${exact}`, `an expression in ${shown}`, name);
  }
  // Some components write a text as HTML.
  if (/^[A-Z]/.test(tag) && name !== 'type' && LESS_THAN.test(value))
    return say(place, 'script', `markup ${exact}`, `markup in ${shown}`, name);
  const plain = name.toLowerCase();
  const isOfComponent = SAFE_COMPONENTS.has(tag) && SAFE_COMPONENT_ATTRIBUTES.has(plain);
  if (!isSafeName(tag) || !(SAFE_ATTRIBUTES.has(plain) || isOfComponent)) {
    const what = `the ${shown} of <${tag}>, which no page of the site uses`;
    say(place, 'markup', `attribute ${tag} ${name}`, what, name);
  }
  if (component === undefined) judgeValue(tag, one, place);
}

function isLoad(tag: string, { name }: Attribute): boolean {
  return ADDRESS_ATTRIBUTES.test(name) && (MEDIA_ELEMENTS.test(tag) || !LINK_ATTRIBUTES.test(name));
}

function judgeValue(tag: string, one: Attribute, place: Place): void {
  const { at, source, reading, report } = place;
  const { braces, value } = one;
  const name = one.name.toLowerCase();
  const texts = braces
    ? [...value.matchAll(/"([^"]*)"|'([^']*)'/g)].map(
        ([, double, single]) => double ?? single ?? '',
      )
    : name === 'srcset'
      ? value.split(',').map(part => part.trim().replace(/\s.*$/s, ''))
      : [value];
  const hint = value.slice(0, 40);
  if (name === 'style') {
    if (!isPlainStyle(value))
      say(place, 'script', `style ${squeeze(value)}`, 'a style that is not plain', hint);
  } else if (/^class(?:name)?$/.test(name)) judgeClasses(texts.join(' '), place);
  else if (name === 'icon' && texts.some(text => /:|^[\\/]{2}/.test(text)))
    say(place, 'embed', `icon ${squeeze(value)}`, 'an icon from elsewhere', hint);
  else if (name === 'icon' && texts.some(text => /^[\w-]*$/.test(text))) return;
  else if (ADDRESS_ATTRIBUTES.test(name) || (name === 'icon' && SAFE_COMPONENTS.has(tag))) {
    const use = isLoad(tag, one) ? 'load' : 'link';
    const what = `an address in attribute ${one.name}`;
    for (const text of texts) judgeAddress(text, use, { at, what, from: reading.path }, report);
  } else if (!braces && !plainText(value, { generics: true })) {
    const rule = /script\s*:/i.test(value) ? 'script' : 'markup';
    say(
      place,
      rule,
      `value ${source}`,
      `a value of attribute ${one.name} that is not plain text`,
      hint,
    );
  }
}

/** Judges classes with spaces between them. */
export function judgeClasses(words: string, place: ClassPlace): void {
  for (const word of words.split(/\s+/)) {
    const what = `the class ${word}, which no page of the site uses and which may move what it is on`;
    if (!isPlainClass(word)) say(place, 'script', `class ${word}`, what, word);
  }
}

/** Judges the classes that some directives of Sphinx and MyST name behind them. */
export function judgeClassDirective(name: string, argument: string, place: ClassPlace): void {
  if (/^(?:div|container|(?:rst-|css)?class)$/.test(name)) judgeClasses(argument.trim(), place);
}
