import type * as t from '@babel/types';
import { childrenOf } from '../../../sites/code/changed-constants.ts';
import { parseProgram } from '../../../sites/code/parse-module.ts';
import { ModuleReader } from '../../../sites/code/read-module.ts';
import type { StaticValue } from '../../../sites/code/static-value.ts';
import { keyOf } from '../../../sites/code/syntax-node.ts';
import type { Site } from '../../../sites/kinds/site-kind.ts';
import { parseYaml } from '../../../sites/kinds/yaml.ts';
import { isPlainLabel } from '../../policy/targets.ts';

/** What a text of the navigation may be: shown to readers, a page or address, or a word of the kind. */
type Member = 'title' | 'target' | 'word';

/** What navigation and redirects of a kind are made of; nothing else may come into them. */
export interface NavigationForm {
  /** The members of entries and redirects; numbers and booleans may stand in any of them. */
  members: Readonly<Record<string, Member>>;
  /** The values of a file that are navigation or redirects. `isMain`: the configuration itself. */
  parts(reader: ModuleReader, file: string, isMain: boolean): (StaticValue | undefined)[];
}

/** See `NavigationEditing.otherChanges`. */
export function onlyNavigationChanges(
  form: NavigationForm,
  site: Site,
  file: string,
  before: string,
  after: string,
): string[] {
  if (before === after) return [];
  if (/\.ya?ml$/.test(file)) return yamlChanges(form, file, after);
  const old = sideOf(form, site, file, before);
  const now = sideOf(form, site, file, after);
  if (!old || !now) return [`${file} cannot be parsed, so it is not known what changes in it.`];
  const known = new Set(old.parts.flatMap(node => expressionsIn(node, before)));
  const bad = now.parts.flatMap(node => refusedIn(node, form, after, known));
  const other = firstDifference(fingerprint(old), fingerprint(now));
  return [
    ...bad.map(node => `${file}:${node.loc?.start.line ?? 1} holds more than navigation.`),
    ...(other === undefined ? [] : [`${file}:${other} changes more than navigation.`]),
  ].slice(0, 5);
}

interface Side {
  program: t.Node;
  /** The literals that are navigation. */
  parts: t.Node[];
}

function sideOf(form: NavigationForm, site: Site, file: string, text: string): Side | undefined {
  const program = parseProgram(file, text);
  if (!program) return undefined;
  const reader = new ModuleReader(path => (path === file ? text : undefined));
  const values = form.parts(reader, file, file === site.configFiles[0]);
  const starts = new Set(values.flatMap(value => literalStarts(value, file)));
  const shift = file.endsWith('.json') ? 1 : 0;
  const parts: t.Node[] = [];
  const visit = (node: t.Node): void => {
    const isList = node.type === 'ArrayExpression' || node.type === 'ObjectExpression';
    if (isList && starts.has((node.start ?? 0) - shift)) parts.push(node);
    else for (const child of childrenOf(node)) visit(child);
  };
  visit(program);
  return { program, parts };
}

/** Where the literals of a value begin; those of spreads and constants have places of their own. */
function literalStarts(value: StaticValue | undefined, file: string): number[] {
  if (value?.kind !== 'array' && value?.kind !== 'object') return [];
  const inner = value.kind === 'array' ? value.items : [...value.members.values()];
  const slots = value.kind === 'array' ? value.slots : [...value.slots.values()];
  const literals = [value.literal, ...slots.map(slot => slot.literal)];
  return [
    ...literals.filter(one => one.file === file).map(one => one.start),
    ...inner.flatMap(one => literalStarts(one, file)),
  ];
}

/** Nodes of a navigation that are not the texts and lists it is made of, and were not there before. */
function refusedIn(
  node: t.Node,
  form: NavigationForm,
  text: string,
  known: ReadonlySet<string>,
  member: Member = 'target',
): t.Node[] {
  const inner = (one: t.Node, as?: Member) => refusedIn(one, form, text, known, as);
  if (node.type === 'StringLiteral')
    return isAllowed(node.value, member) || known.has(sourceOf(node, text)) ? [] : [node];
  if (/^(?:Numeric|Boolean|Null)Literal$/.test(node.type)) return [];
  if (node.type === 'ArrayExpression')
    return node.elements.flatMap(one => {
      // A page is named by its path or id; an address with a scheme has a member of its own.
      const isAddress = one?.type === 'StringLiteral' && one.value.includes(':');
      if (one === null || (isAddress && !known.has(sourceOf(one, text)))) return one ?? [];
      return inner(one);
    });
  if (node.type !== 'ObjectExpression') return known.has(sourceOf(node, text)) ? [] : [node];
  return node.properties.flatMap(property => {
    const key = property.type === 'ObjectProperty' ? keyOf(property) : undefined;
    if (property.type !== 'ObjectProperty' || key === undefined)
      return known.has(sourceOf(property, text)) ? [] : [property];
    const as = Object.hasOwn(form.members, key) ? form.members[key] : undefined;
    if (as) return inner(property.value, as);
    // A title or a path prefix with what is below it, or a redirect.
    const isList = /^(?:Array|Object)Expression$/.test(property.value.type);
    const isRedirect = key.startsWith('/') && property.value.type === 'StringLiteral';
    if ((isList || isRedirect) && isAllowed(key, 'title')) return inner(property.value);
    return known.has(sourceOf(property, text)) ? [] : [property];
  });
}

/** No markup, no scripts, no line breaks; addresses have a scheme that is safe to follow. */
function isAllowed(text: string, member: Member): boolean {
  if (text.length > 2000 || /[<>\u0000-\u001F]/.test(text) || text === '__proto__') return false;
  if (member === 'title') return isPlainLabel(text);
  if (member === 'word') return /^[\w-]*$/.test(text);
  return !/[\s"'`\\]/.test(text) && (!/^[^/?#]*:/.test(text) || /^(?:https?|mailto):/i.test(text));
}

/** Every expression of a part as it is written: what stays may be anything. */
function expressionsIn(node: t.Node, text: string): string[] {
  return [sourceOf(node, text), ...childrenOf(node).flatMap(child => expressionsIn(child, text))];
}

function sourceOf(node: t.Node, text: string): string {
  return text.slice(node.start ?? 0, node.end ?? 0).replace(/\s+/g, ' ');
}

/** What a program is, node by node, comments and layout left out; a part is one mark. */
function fingerprint({ program, parts }: Side): { mark: string; line: number }[] {
  const skipped = new Set(parts);
  const marks: { mark: string; line: number }[] = [];
  const visit = (node: t.Node): void => {
    const line = node.loc?.start.line ?? 1;
    if (skipped.has(node)) {
      marks.push({ mark: 'navigation', line });
      return;
    }
    // A list of redirects may be new, and an empty one may go.
    if (node.type === 'ObjectProperty' && skipped.has(node.value)) return;
    const own = Object.entries(node).filter(
      ([name, value]) =>
        !/^(?:start|end|loc|extra|\w*[cC]omments|errors)$/.test(name) && isPlain(value),
    );
    marks.push({ mark: JSON.stringify(own), line });
    childrenOf(node).forEach(visit);
    marks.push({ mark: 'end', line });
  };
  visit(program);
  return marks;
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== 'object' || 'raw' in value;
}

function firstDifference(
  before: readonly { mark: string }[],
  after: readonly { mark: string; line: number }[],
): number | undefined {
  const at = after.findIndex(({ mark }, index) => mark !== before[index]?.mark);
  if (at >= 0) return after[at]?.line;
  return before.length > after.length ? (after.at(-1)?.line ?? 1) : undefined;
}

/** A small file of nothing but navigation, such as `_category_.yml`. */
function yamlChanges(form: NavigationForm, file: string, after: string): string[] {
  const { value, error } = parseYaml(after);
  if (error) return [`${file} cannot be parsed, so it is not known what changes in it.`];
  const isFine = (one: unknown, member: Member): boolean => {
    if (typeof one === 'string') return isAllowed(one, member);
    if (typeof one !== 'object' || one === null) return true;
    return Object.entries(one).every(([name, inner]) => {
      const as = Object.hasOwn(form.members, name) ? form.members[name] : undefined;
      return as !== undefined && isFine(inner, as);
    });
  };
  return isFine(value, 'target') ? [] : [`${file} holds more than navigation.`];
}
