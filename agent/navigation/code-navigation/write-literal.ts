import { indentUnit } from './edit-literal.ts';
import type { StaticValue } from '../../../sites/code/static-value.ts';

/** A value that is written out: as code, or as JSON. */
export type Shape = string | boolean | readonly Shape[] | { readonly [name: string]: Shape };

/** How the literals of a file look. */
export interface Style {
  quote: "'" | '"';
  quotedKeys: boolean;
  /** `{ a: 1 }` rather than `{a: 1}`. */
  isSpaced: boolean;
  /** Objects have a line for each member. */
  isOnLines: boolean;
  /** A comma behind the last member of an object on lines. */
  closingComma: boolean;
  indent: string;
  /** Names of members in the order in which they are written. */
  order: string[];
}

const WIDTH = 100;

/** The style of a value in its file, or that of the file if there is no value to follow. */
export function styleOf(file: string, text: string, model: StaticValue | undefined): Style {
  const isJson = file.endsWith('.json');
  const own = model?.file === file ? text.slice(model.start, model.end) : '';
  const object = model?.kind === 'object' && model.file === file ? model : undefined;
  const [slot] = object?.slots.values() ?? [];
  const key = slot?.key ? text.slice(slot.key.start, slot.key.end) : '';
  return {
    quote: isJson ? '"' : (quoteOf(own) ?? quoteOf(text) ?? "'"),
    quotedKeys: isJson || /^["']/.test(key),
    isSpaced: object ? /^\{\s/.test(own) : /\{ \S/.test(text) || !/\{\S[^{}\n]*\}/.test(text),
    isOnLines: object ? /^\{[ \t]*\r?\n/.test(own) : false,
    closingComma: !isJson && hasClosingCommas(object && own.includes('\n') ? own : text),
    indent: indentUnit(text),
    order: object ? [...object.members.keys()] : [],
  };
}

/** Whether the first list on lines has a comma behind its last part; so do lists of our own. */
function hasClosingCommas(text: string): boolean {
  const lines = text.split('\n').map(line => line.trim());
  const close = lines.findIndex(
    (line, at) => /^[}\]]/.test(line) && /[^[{(]$/.test(lines[at - 1] ?? ''),
  );
  return close < 0 || /,(?:\s+\/\/.*)?$/.test(lines[close - 1] ?? '');
}

/** The quote that is used more; backticks and JSX are not told apart. */
function quoteOf(text: string): Style['quote'] | undefined {
  const single = text.split("'").length;
  const double = text.split('"').length;
  return single === double ? undefined : single > double ? "'" : '"';
}

/** The text of a value; lines behind the first are indented from nothing. */
export function writeShape(shape: Shape, style: Style): string {
  if (typeof shape === 'boolean') return String(shape);
  if (typeof shape === 'string') return quoted(shape, style.quote);
  if (isList(shape)) {
    const items = shape.map(item => writeShape(item, style));
    const line = `[${items.join(', ')}]`;
    const fits = !line.includes('\n') && line.length <= WIDTH / 2 && !shape.some(isObject);
    return fits || items.length === 0 ? line : onLines('[', items, ']', style);
  }
  const names = inOrder(Object.keys(shape), style.order);
  const members = names.map(
    name => `${keyText(name, style)}: ${writeShape(shape[name] as Shape, style)}`,
  );
  const space = style.isSpaced ? ' ' : '';
  const line = `{${space}${members.join(', ')}${space}}`;
  const holdsList = names.some(name => isList(shape[name] as Shape));
  const fits = !style.isOnLines && !holdsList && !line.includes('\n') && line.length <= WIDTH;
  return fits ? line : onLines('{', members, '}', style);
}

export function quoted(text: string, quote: Style['quote']): string {
  const json = JSON.stringify(text);
  // As formatters have it: the other quote, if that saves an escape.
  if (quote === "'" && text.includes("'") && !text.includes('"')) return json;
  return quote === '"'
    ? json
    : `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** The name of a member, quoted where it has to be, or where the others are. */
export function keyText(name: string, { quotedKeys, quote }: Style): string {
  return quotedKeys || !/^[A-Za-z_$][\w$]*$/.test(name) ? quoted(name, quote) : name;
}

function onLines(open: string, parts: readonly string[], close: string, style: Style): string {
  const indented = parts.map(part => style.indent + part.replaceAll('\n', `\n${style.indent}`));
  return `${open}\n${indented.join(',\n')}${style.closingComma ? ',' : ''}\n${close}`;
}

function inOrder(names: readonly string[], order: readonly string[]): string[] {
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return names.toSorted((a, b) => rank(a) - rank(b));
}

function isList(shape: Shape): shape is readonly Shape[] {
  return Array.isArray(shape);
}

function isObject(shape: Shape): boolean {
  return typeof shape === 'object';
}
