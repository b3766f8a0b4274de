import type { Scope } from './instruction.ts';
import { mayLimit, withoutReason } from './limits.ts';
import { isPath, type Lifted, restore } from './operands.ts';

export const ARROW = '(?:->|→|=>|➜|⇒)';

const DETERMINERS = String.raw`(?:(?:all|every|each|any|both|our|of|the|whole|entire|whole of)\s+)*`;
const WHOLE = new RegExp(
  String.raw`^${DETERMINERS}(?:docs?|documentation|documents?|pages?|files?|site|website|repo(?:sitory)?|everything|places?|mdx?(?: files)?)(?:\s+(?:folder|pages?|files?|site))?$`,
  'i',
);
const CODE = new RegExp(String.raw`^${DETERMINERS}code$`, 'i');
const BLOCKS = new RegExp(
  String.raw`^${DETERMINERS}(?:code (?:blocks?|samples?|examples?|snippets?|fences?)|snippets|examples)$`,
  'i',
);
const PROSE = /^(?:the )?(?:prose|text|running text)$/i;
const HEADINGS =
  /^(?:(?:all|any|the|section|page)\s+)*(?:headings|headers)$|^(?:every|each)\s+(?:section\s+)?(?:heading|header)$/i;
/**
 * Parts of a page that rules cannot tell from others; a page may be named so, but then "page" or a
 * path says it.
 */
const UNTOLD =
  /^(?:(?:all|any|every|each|the|this|that|first|second|third|last|main|top|bottom|next|numbered|bulleted|inline|page|section|\d+\w*)\s+)*(?:tables?|lists?|bullets?|items?|notes?|callouts?|warnings?|tips?|captions?|paragraphs?|sentences?|lines?|rows?|columns?|cells?|footnotes?|images?|alt texts?|links?|quotes?|blockquotes?|front ?matter|comments?|titles?|descriptions?|headings?|headers?|code|link texts?|side ?bar|navigation|menu|urls?|paths?|(?:lower|upper) ?case|(?:first|last|second|third|this|that|next|same|previous|above|below|following) (?:sub)?section|intro(?:duction)?)$/i;

const SECTION = [
  /^(?:the\s+)?(?:sub)?section\s+(?:(?:called|titled|named|entitled)\s+)?(?<name>.+)$/i,
  /^(?<every>(?:all|every|each)\s+)?(?:the\s+)?(?<name>.+?)\s+(?:sub)?sections?$/i,
];
const UNDER_HEADING = /^(?:the\s+)?(?:heading\s+(?<behind>.+)|(?<before>.+?)\s+heading)$/i;

const WITHIN = '(?:in|across|throughout|on|within|inside|under|below)';
const FIRST_PLACE = new RegExp(String.raw`(?:^|\s)(?=${WITHIN}\s)`, 'i');
const JOINED = new RegExp(String.raw`\s+(?=(?:of|${WITHIN})\s)`, 'i');

/**
 * The scope that a phrase names, such as "docs/cli", "in code blocks", "the Install section of
 * docs/setup.md".
 */
export function readScope(phrase: string, lifted: Lifted): Scope {
  const text = phrase
    .trim()
    .replace(/^(?:only|just)\s+/i, '')
    .replace(/\s+(?:only|alone)$/i, '');
  const scope = text
    .split(JOINED)
    .map(part => readPart(part, lifted))
    .reduce(combine);
  return text === phrase.trim() ? scope : strictly(scope);
}

/** "Only there": nothing less than a page or folder of that name will do. */
function strictly(scope: Scope): Scope {
  return {
    ...scope,
    only: true,
    ...(scope.place ? { place: { ...scope.place, quoted: true } } : {}),
  };
}

function readPart(part: string, lifted: Lifted): Scope {
  const [, preposition = ''] = new RegExp(String.raw`^(of|${WITHIN})\s`, 'i').exec(part) ?? [];
  const text = part.slice(preposition.length).trim();
  const named = (name: string) => ({
    text: restore(name, lifted).trim(),
    quoted: isPath(restore(name, lifted)),
    named: true,
  });
  if (CODE.test(text)) return { kind: 'code' };
  if (BLOCKS.test(text)) return { kind: 'blocks' };
  if (PROSE.test(text)) return { kind: 'prose' };
  if (HEADINGS.test(text)) return { kind: 'headings' };
  if (WHOLE.test(text)) return { kind: 'all' };
  const [, from, to = from] = /^lines?\s+(\d+)(?:\s*(?:-|–|to)\s*(\d+))?$/i.exec(text) ?? [];
  if (from !== undefined) return { kind: 'all', lines: { from: Number(from), to: Number(to) } };
  if (UNTOLD.test(text))
    return {
      kind: 'all',
      place: named(text.replace(/^the\s+/i, '')),
      unclear: restore(text, lifted),
    };
  const heading = /^(?:under|below)$/i.test(preposition)
    ? UNDER_HEADING.exec(text)?.groups
    : undefined;
  const section = heading ?? SECTION.map(pattern => pattern.exec(text)?.groups).find(Boolean);
  const name = section && (section['name'] ?? section['behind'] ?? section['before']);
  if (name)
    return { kind: 'all', section: { ...named(name), every: section['every'] !== undefined } };
  const [, page, anchor] = /^(\S+)#([\w-]+)$/.exec(restore(text, lifted)) ?? [];
  if (page && anchor)
    return {
      kind: 'all',
      place: { ...named(page), quoted: true },
      section: { ...named(anchor), every: false },
    };
  const asked = /\s(?:page|file|folder|directory)$|^(?:page|file|folder)\s/i.test(text);
  const place = text
    .replace(/^the\s+/i, '')
    .replace(
      /\s+(?:page|pages|guide|file|folder|docs?|documentation|directory|reference page)$/i,
      '',
    )
    .replace(/^(?:page|file|folder)\s+/i, '');
  return { kind: 'all', place: { ...named(place), ...(asked ? { quoted: true } : {}) } };
}

/** Both limits at once; two of one sort are more than we can keep. */
export function combine(one: Scope, other: Scope): Scope {
  const twice =
    (one.kind !== 'all' && other.kind !== 'all' && one.kind !== other.kind) ||
    (['place', 'section', 'except', 'lines', 'spare'] as const).some(
      member => one[member] && other[member],
    );
  const unclear =
    one.unclear ?? other.unclear ?? (twice ? [one, other].map(describe).join(' and ') : undefined);
  return {
    ...one,
    ...other,
    kind: one.kind === 'all' ? other.kind : one.kind,
    ...(unclear === undefined ? {} : { unclear }),
  };
}

function describe({ kind, lines, place, section, except, spare }: Scope): string {
  return [
    kind === 'all' ? '' : kind,
    lines && `line ${lines.from}`,
    section?.text,
    place?.text,
    (except ?? spare) && `not ${except?.text ?? spare}`,
  ]
    .filter(Boolean)
    .join(' in ');
}

const SPARE = String.raw`(?:(?:do not|don['’]?t|never|without)\s+(?:touch|chang|edit|modify|renam|replac|includ)(?:e|ing)?|leave|leaving|keep|keeping|skip|skipping|ignore|ignoring)`;
const EXCEPT = new RegExp(
  String.raw`(?:^|[,;\s(])\s*(?:(?:but|and)\s+)?(?:except(?:\s+for)?|excluding|but not|not(?=\s+(?:(?:in|on|for)\s|\S+\.mdx?\b))|other than|apart from|leaving out|${SPARE})\s+(?:(?:in|on|for)\s+)?(?:the\s+)?(.+?)(?:\s+(?:alone|unchanged|untouched|as (?:is|it is|they are)))?\)?$`,
  'is',
);
/** Words that begin a condition or a measure, of which we know none. */
const CONDITION =
  /^(?:(?:and|but)\s+)?(?:where|when|if|unless|while|without|once|twice|only|just|but|not|provided|outside|after|before|at|(?:the\s+)?(?:first|last|second)\b)(?!\w)/i;
const USED = String.raw`(?:it|they|you)\s+(?:occurs?|appears?|stands?|(?:is|are)\s+(?:used|mentioned)|(?:can\s+)?(?:find|see)\s+(?:it|them))`;
const HARMLESS = new RegExp(
  String.raw`^(?:(?:everywhere|wherever)(?:\s+${USED})?|where\s+${USED})(?![\w-])`,
  'i',
);
const PURPOSE =
  /^for\s+(?:(?:better|more|the sake of)\s+)?(?:consisten|clar|readab|simpl|accura|correct|brevity|me\b|us\b|now\b)/i;

/**
 * A sentence of its own that limits what was asked before: "Only in headings.", "Don't touch the
 * changelog."
 */
export function isRestriction(sentence: string): boolean {
  return new RegExp(
    String.raw`^(?:but\s+)?(?:(?:only|just)\s+${WITHIN}\s|${WITHIN}\s.*\sonly[.!]?$|(?:headings|headers|code|code blocks|prose)\s+only[.!]?$|except\s|excluding\s|not\s+(?:in|on)\s|${SPARE}\s)`,
    'i',
  ).test(sentence.trim());
}

/**
 * Where the end of an instruction says that it applies; `tail` is what stands behind its operands,
 * where that is known.
 */
export function trailingScope(lifted: Lifted, tail?: string): Scope {
  const said = tail ?? lifted.text;
  const asides = [...said.matchAll(PARENTHESES)].map(([, aside = '']) =>
    readClauses(`, ${aside}`, true, lifted),
  );
  return asides.reduce(
    combine,
    readClauses(said.replace(PARENTHESES, ''), tail !== undefined, lifted),
  );
}

const PARENTHESES = /\s*\(([^()]*)\)/g;

function readClauses(text: string, isTail: boolean, lifted: Lifted): Scope {
  const except = EXCEPT.exec(text);
  const [first = '', ...others] = text
    .replace(EXCEPT, '')
    .split(/\s*[,;]\s*|\s+[-–—]\s+/)
    .map(clause => withoutReason(clause).trim());
  const scopes = [
    readClause(first, isTail, lifted),
    ...others.map(clause => readAside(clause, lifted)),
  ];
  if (except) scopes.push(readExcept((except[1] ?? '').trim(), lifted));
  const scope = scopes.reduce(combine);
  return /\b(?:only|just)\b/i.test(text) ? strictly(scope) : scope;
}

function readClause(clause: string, isTail: boolean, lifted: Lifted): Scope {
  const everywhere = isTail ? HARMLESS.exec(clause)?.[0] : undefined;
  if (everywhere !== undefined) return readBehind(clause.slice(everywhere.length).trim(), lifted);
  if (isTail && (clause === '' || PURPOSE.test(clause)))
    return readAside(clause.replace(/^\S+\s*/, ''), lifted);
  const from = isTail ? /^(?:for|from|to)\s+/i.exec(clause)?.[0] : undefined;
  if (from !== undefined) return readScope(clause.slice(from.length), lifted);
  const at = FIRST_PLACE.exec(clause);
  const lead = clause
    .slice(0, at?.index ?? clause.length)
    .trim()
    .replace(/^(?:and|but)\s+/i, '');
  if (isTail && !/^(?:only|just|please|instead|as well|too|and|but)?$/i.test(lead))
    return { kind: 'all', unclear: restore(clause, lifted) };
  return at ? readScope(clause.slice(at.index).trim(), lifted) : { kind: 'all' };
}

/** What stands behind "everywhere": a place, why, or something that can only take away from it. */
function readBehind(rest: string, lifted: Lifted): Scope {
  if (
    /^(?:(?:please|instead|as well|too|now|possible)\b\s*)*[-–—]?$/i.test(rest) ||
    (PURPOSE.test(rest) && !mayLimit(restore(rest, lifted)))
  )
    return { kind: 'all' };
  return isLimit(rest) && !/^but\b/i.test(rest)
    ? readScope(rest, lifted)
    : { kind: 'all', unclear: restore(rest, lifted) };
}

/**
 * What stands behind a comma or in parentheses: a limit, or words that say nothing of where. What
 * could be either is not ours to guess.
 */
function readAside(clause: string, lifted: Lifted): Scope {
  if (isLimit(clause)) return readScope(clause.replace(/^(?:and|but)\s+/i, ''), lifted);
  const known =
    /^(?:but )?not\s+\S+$/i.test(clause) &&
    !mayLimit(restore(clause, lifted).replace(/^(?:but )?not\s+/i, ''));
  return !known && (CONDITION.test(clause) || mayLimit(restore(clause, lifted)))
    ? { kind: 'all', unclear: restore(clause, lifted) }
    : { kind: 'all' };
}

function isLimit(clause: string): boolean {
  return new RegExp(
    String.raw`^(?:(?:and|but)\s+)?(?:(?:only|just)\s+)?${WITHIN}\s|^\S.*\sonly$|^\S+\.mdx?$|\s(?:sub)?sections?$|^(?:section|lines?(?=\s\d)|headings|headers|code|code blocks|prose)(?:\s|$)`,
    'i',
  ).test(clause);
}

/** What is to stay as it is: a page, a folder, or a sort of text. */
function readExcept(phrase: string, lifted: Lifted): Scope {
  if (/^(?:any(?:thing)?|the|every(?:thing)?|all)?\s*(?:else|other\b.*|rest)$/i.test(phrase))
    return { kind: 'all' };
  const { kind, place, section, lines, unclear } = readScope(phrase, lifted);
  const sort = !place && !section && !lines && kind;
  if (sort === 'code') return { kind: 'prose' };
  if (sort === 'prose') return { kind: 'code' };
  if (sort === 'headings' || sort === 'blocks') return { kind: 'all', spare: sort };
  if (kind !== 'all' || section || lines || unclear !== undefined || !place)
    return { kind: 'all', unclear: `not ${restore(phrase, lifted)}` };
  return { kind: 'all', except: place };
}
