import { isDeepStrictEqual } from 'node:util';
import { type Node, parseTree } from 'jsonc-parser';
import { isObject } from '../../sites/values.ts';
import { isRemote } from './content/addresses.ts';
import { isPlainLabel, isSitePath } from './targets.ts';

/** Members of a level of the navigation. */
const LEVEL_MEMBERS = new Set(
  (
    'anchor anchors boost color default description directory drilldown dropdown dropdowns expanded ' +
    'global group groups hidden href icon iconType item language languages menu openapi asyncapi ' +
    'page pages product products public root tab tabs tag url version versions dark light ' +
    'searchable source destination permanent navigation'
  ).split(' '),
);
/** Members whose value is an address or names a file. */
const TARGETS = /^(?:navigation|href|url|page|pages|root|source|destination|directory)$/;
const FILES = /^(?:\$ref|openapi|asyncapi)$/;

/**
 * What else than the navigation and redirects within the site a new text of docs.json, or of a part
 * of it, changes: one sentence each. The parsed values are compared, so that formatting is free.
 */
export function docsJsonChanges(
  before: string,
  after: string,
  { isPart, hasFile }: { isPart: boolean; hasFile: (path: string) => boolean },
): string[] {
  const old = readJson(before);
  const now = readJson(after);
  if (now === undefined) return ['It is no longer valid JSON, or names a member twice.'];
  if (isPart) return judgeValues(old, now, hasFile);
  if (!isObject(now) || !isObject(old)) return ['It must stay an object.'];
  const others = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
    name => !/^(?:navigation|redirects)$/.test(name) && !isDeepStrictEqual(old[name], now[name]),
  );
  return [
    ...others.map(name => `Member "${name}" is changed by people only: put back what it was.`),
    ...judgeValues(
      { navigation: old['navigation'], redirects: old['redirects'] },
      { navigation: now['navigation'], redirects: now['redirects'] },
      hasFile,
    ),
  ];
}

function judgeValues(old: unknown, now: unknown, hasFile: (path: string) => boolean): string[] {
  const known = new Set(
    [...leaves(old)].map(({ member, value }) => `${member}=${JSON.stringify(value)}`),
  );
  const members = new Set([...leaves(old)].map(({ member }) => member));
  const changes: string[] = [];
  for (const { member, value, inRedirect } of leaves(now)) {
    if (known.has(`${member}=${JSON.stringify(value)}`)) continue;
    if (!LEVEL_MEMBERS.has(member) && !members.has(member))
      changes.push(`Member "${member}" is not one of the navigation.`);
    else if (typeof value === 'string') {
      const refusal = judgeText(member, value, inRedirect, hasFile);
      if (refusal) changes.push(refusal);
    }
  }
  return changes;
}

function judgeText(
  member: string,
  value: string,
  inRedirect: boolean,
  hasFile: (path: string) => boolean,
): string | undefined {
  const shown = `"${member}": ${JSON.stringify(value)}`;
  if (FILES.test(member))
    return member !== '$ref' && hasFile(value.replace(/^\.?\//, ''))
      ? undefined
      : `${shown} names a file or an address that the site does not use yet.`;
  if (inRedirect && /^(?:source|destination)$/.test(member))
    return isSitePath(value)
      ? undefined
      : `${shown}: redirects lead from and to paths of this site only.`;
  if (TARGETS.test(member)) {
    const isLink =
      /^(?:href|url)$/.test(member) &&
      /^(?:https?:\/\/[^\s\\<>"']+|mailto:[^\s<>"']+)$/.test(value);
    const isOperation = /^[A-Z]+ \/\S*$/.test(value);
    return isLink ||
      isOperation ||
      (!isRemote(value) && !/[\\<>"']|\.\.|\p{Cc}|[\p{Cf}\p{Zl}\p{Zp}]/u.test(value))
      ? undefined
      : `${shown} must be a path of the site, or in "href" an https:// address.`;
  }
  if (/^icon$/i.test(member) && isRemote(value)) return `${shown} loads an icon from elsewhere.`;
  return isPlainLabel(value) ? undefined : `${shown} is not plain text.`;
}

interface Leaf {
  /** The nearest member's name. */
  member: string;
  value: unknown;
  inRedirect: boolean;
}

function* leaves(value: unknown, member = '', inRedirect = false): Generator<Leaf> {
  if (Array.isArray(value)) for (const one of value) yield* leaves(one, member, inRedirect);
  else if (isObject(value))
    for (const [name, inner] of Object.entries(value))
      yield* leaves(inner, name, inRedirect || name === 'redirects' || 'destination' in value);
  else if (value !== undefined) yield { member, value, inRedirect };
}

/** Undefined for what is not JSON, and for a member that is named twice: parsers differ on it. */
export function readJson(text: string): unknown {
  const plain = text.replace(/^\uFEFF/, '');
  try {
    const value: unknown = JSON.parse(plain);
    const tree = parseTree(plain);
    return tree && hasTwins(tree) ? undefined : value;
  } catch {
    return undefined;
  }
}

function hasTwins(node: Node): boolean {
  const children = node.children ?? [];
  if (node.type === 'object') {
    const names = children.map(child => String(child.children?.[0]?.value));
    if (new Set(names).size < names.length || names.includes('__proto__')) return true;
  }
  return children.some(hasTwins);
}
