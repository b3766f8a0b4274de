/**
 * Which files below the folder of styles Vale may have. Vale reads the files that a rule names, so a
 * rule may name only files that are copied with it. A rule's program (`script`) may stay: Vale gives
 * it the modules text, fmt and math and nothing else, so that it reads no file and opens no
 * connection.
 */

/** Paths below the folder of styles. */
const RULE = /^([\w-]+)\/[\w.-]+\.ya?ml$/;
const WORDS = /^config\/vocabularies\/([\w.-]+)\/(?:accept|reject)\.txt$/;
const OTHERS = [
  /^config\/(?:ignore|dictionaries|scripts|actions)\/(?:[\w-][\w.-]*\/)*[\w-][\w.-]*\.(?:txt|dic|aff|dict|tengo)$/,
  /^[\w-]+\/(?:[\w-][\w.-]*\/)*[\w-][\w.-]*\.(?:txt|dic|aff|tengo)$/,
];

export type StyleFile =
  { kind: 'rule'; style: string } | { kind: 'vocabulary'; name: string } | { kind: 'other' };

export function styleFile(path: string): StyleFile | undefined {
  const [, name] = WORDS.exec(path) ?? [];
  if (name !== undefined) return { kind: 'vocabulary', name };
  const [, style] = RULE.exec(path) ?? [];
  if (style !== undefined && style !== 'config') return { kind: 'rule', style };
  return OTHERS.some(pattern => pattern.test(path)) ? { kind: 'other' } : undefined;
}

/** Members that hold text, patterns, numbers or names, and never a path. */
const PLAIN_MEMBERS = new Set(
  (
    'message description link level scope limit name ignorecase nonword raw tokens exceptions swap ' +
    'first second match style indicators prefix max min token alpha either formula condition grade ' +
    'metrics vocab custom append threshold split pattern capitalize filters code pos tests'
  ).split(' '),
);
const TYPE = /^(["']?)[\w-]+(?:\.[\w-]+)?\1$/;
const FILE = /^(["']?)[\w-][\w .-]*(?:\/[\w-][\w .-]*)*\1$/;

/**
 * Why a rule is not applied; undefined: it is. Reads the members by the beginnings of lines: each
 * line that begins at the margin is a member that is known, a comment, or an item of a list.
 */
export function ruleProblem(text: string): string | undefined {
  const members: { name: string; lines: string[] }[] = [];
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n|[\n\r\u0085\u2028\u2029]/)) {
    if (/^\s*(?:#.*)?$/.test(line) || (line === '---' && members.length === 0)) continue;
    const [, name, rest] = /^([A-Za-z]+)\s*:(?:\s+(.*))?$/.exec(line) ?? [];
    if (name !== undefined) members.push({ name: name.toLowerCase(), lines: [rest ?? ''] });
    else if (members.length > 0 && /^(?:\s|-(?:\s|$))/.test(line)) members.at(-1)!.lines.push(line);
    else return 'its members do not begin at the margin, each on a line of its own';
  }
  for (const { name, lines } of members) {
    const problem = memberProblem(name, lines);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function memberProblem(name: string, [first = '', ...rest]: string[]): string | undefined {
  const value = first.replace(/\s#.*$/, '').trim();
  const names = [...(value === '' ? [] : [value]), ...rest.map(item)];
  const foreign = `\`${name}\` names something that is not a file beside it`;
  if (PLAIN_MEMBERS.has(name)) return undefined;
  switch (name) {
    case 'extends':
      return rest.length === 0 && TYPE.test(value) ? undefined : '`extends` is not a type of rule';
    case 'script':
      return value === '|' || (rest.length === 0 && FILE.test(value)) ? undefined : foreign;
    case 'action':
      return /\.\.|\\[xuU/.]/.test([first, ...rest].join('\n')) ? foreign : undefined;
    case 'ignore':
    case 'dicpath':
    case 'dictionaries':
    case 'dic':
    case 'aff':
    case 'model':
      return names.every(one => FILE.test(one)) ? undefined : foreign;
    default:
      return `it has a member \`${name}\` that is not known`;
  }
}

function item(line: string): string {
  return line
    .replace(/\s#.*$/, '')
    .replace(/^\s*-\s+/, '')
    .trim();
}
