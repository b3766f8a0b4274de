import type { Intent, Scope } from './instruction.ts';
import {
  isIdentifier,
  type Lifted,
  NOTHING,
  type Operand,
  readOperand,
  restore,
} from './operands.ts';
import { readTypo } from './recognize-typos.ts';
import { ARROW, combine, readScope, trailingScope } from './scope.ts';

/** Where an operand ends: a scope, a reason, a clause. */
const END = String.raw`(?=\s+(?:in|across|throughout|on|within|inside|under|everywhere|except|excluding|but|for|from|because|since|as|so|due|where(?:ver)?|only|just|once|twice|when|if|unless|while|without)\b|\s*[,;:(–—]|\s+-\s|$)`;
const OP = String.raw`(?:\uE000\d+\uE001|\S+)(?:\s+(?:\uE000\d+\uE001|\S+))*?`;
const ALL_OF = String.raw`(?:(?:(?:all|every|each|any|the)\s+)*(?:instances?|occurrences?|mentions?|references?|uses|usages?)\s+(?:of|to)\s+)?`;
const AMOUNT = String.raw`\d[\d.,]*(?:\s?(?:[KMGT]i?B|ms|s|sec(?:onds?)?|min(?:utes?)?|hours?|days?|characters?|requests?|tokens?|%)(?!\w))?`;
const VERSION = String.raw`v?\d+(?:\.\d+)*(?:\.x)?(?:-[\w.]+)?`;

/**
 * Reads instructions about text wherever it stands: replacements, typos, links, versions, limits.
 */
export function readTextIntent(lifted: Lifted): Intent | null {
  const leading =
    /^(?:only\s+)?(?:in|on|within|inside|update)\s+(.+?)(?:,|:|\s+[-–—])\s+(.+)$/is.exec(
      lifted.text,
    ) ?? /^(?:update|fix|edit)\s+(\S+\.mdx?|\uE000\d+\uE001)[,:]?\s+(.+)$/is.exec(lifted.text);
  if (leading) {
    const intent = readTextIntent({ ...lifted, text: leading[2] ?? '' });
    const only = /^only\s/i.test(lifted.text) ? ' only' : '';
    if (intent && 'scope' in intent && !intent.scope.place)
      return {
        ...intent,
        scope: combine(intent.scope, readScope(`${leading[1] ?? ''}${only}`, lifted)),
      };
  }
  return (
    readTypo(lifted) ??
    readHttps(lifted) ??
    readLinks(lifted) ??
    readLimit(lifted) ??
    readBump(lifted) ??
    readFences(lifted) ??
    readReplace(lifted) ??
    readLabelled(lifted)
  );
}

/** "Test utils: `isA` -> `isB`": the words before the colon may say where. */
function readLabelled(lifted: Lifted): Intent | null {
  const [, label = '', rest] = /^([^:\uE000]{2,60}?):\s+(.+)$/s.exec(lifted.text) ?? [];
  const intent = rest ? readReplace({ ...lifted, text: rest }) : null;
  if (!intent || !('scope' in intent) || intent.scope.place) return intent;
  const { unclear: _, ...said } = readScope(label.replace(/^for\s+/i, ''), lifted);
  return { ...intent, scope: { ...combine(intent.scope, said), label: true } };
}

/** "Switch javascript code blocks to js" is about what stands behind the fence. */
function readFences(lifted: Lifted): Intent | null {
  const fence = String.raw`code[ -]?(?:blocks?|fences?)`;
  const found = new RegExp(
    String.raw`^(?:change|switch|convert|update|rename|set)\s+(?:all\s+|the\s+)*(?:${fence}\s+from\s+)?(\uE000\d+\uE001|[\w+-]+)\s+(?:(?:${fence})\s+)?to\s+(\uE000\d+\uE001|[\w+-]+)(?:\s+(${fence}))?${END}`,
    'i',
  ).exec(lifted.text);
  if (!found || !new RegExp(fence, 'i').test(found[0])) return null;
  const tag = (raw: string | undefined): Operand => ({
    text: '```' + restore(raw ?? '', lifted),
    quoted: true,
    named: true,
  });
  return { kind: 'replace', from: tag(found[1]), to: tag(found[2]), scope: trailingScope(lifted) };
}

function readHttps(lifted: Lifted): Intent | null {
  const text = restore(lifted.text, lifted);
  const asked =
    /\bhttp(?::\/\/)?\b.*(?:\bto\b|\bwith\b|->|→|=>).*\bhttps\b/i.test(text) ||
    /^(?:(?:use|switch to|prefer|enforce)|(?:make|change|update|convert|switch)\s+(?:[\w-]+\s+){1,4}(?:to\s+)?(?:use\s+)?)\s*https\b/i.test(
      text,
    );
  const hosts = text.match(/https?:\/\/[\w-]+\.[\w.-]+/gi) ?? [];
  return asked && hosts.length === 0 ? { kind: 'https', scope: trailingScope(lifted) } : null;
}

function readLinks(lifted: Lifted): Intent | null {
  const asked =
    /^(?:fix|mend|repair|correct|update|resolve)\s+(?:all\s+|any\s+|the\s+|some\s+)*(?:broken|dead|invalid|wrong|missing)\s+(?:internal\s+)?(?:links?|references?|urls?)\b/i.test(
      lifted.text,
    );
  return asked ? { kind: 'links', scope: trailingScope(lifted) } : null;
}

function readLimit(lifted: Lifted): Intent | null {
  const text = restore(lifted.text, lifted);
  const up = new RegExp(
    String.raw`(?:new\s+)?(?:(?:maximum|max)\s+(?:number\s+of\s+)?)?([\w -]+?)\s+(?:limit|maximum|max|cap|quota)\s+(?:of|to|is(?:\s+now)?|=|:)\s*(${AMOUNT}).*?\(?(?:up|down|increased|raised|lowered|reduced|was|previously|instead of|rather than|used to be|not|from)\s+(?:from\s+|of\s+|be\s+)?(${AMOUNT})`,
    'i',
  ).exec(text);
  if (up) return limit(up[1], up[3], up[2], lifted);
  const from = new RegExp(
    String.raw`^(?:update|change|raise|increase|lower|reduce|decrease|bump|set)\s+(?:the\s+)?(?:docs\s+(?:to\s+reflect|for)\s+)?(?:the\s+)?(?:(?:maximum|max)\s+(?:number\s+of\s+)?)?([\w -]+?)(?:\s+(?:limit|maximum|max|cap|quota))?\s+from\s+(${AMOUNT})\s+to\s+(${AMOUNT})(?=\s+(?:in|on|across|for)\b|\s*[,;(]|$)`,
    'i',
  ).exec(text);
  // `bump node from 18 to 20` names a version: only a word for a limit, or a plural that is
  // counted, makes it a limit.
  if (
    from &&
    (/\b(?:limit|maximum|max|cap|quota|timeout|size|length|interval|period|retention)\b/i.test(
      text,
    ) ||
      /s$/i.test(from[1] ?? '')) &&
    !/version/i.test(text)
  )
    return limit(from[1], from[2], from[3], lifted);
  return null;
}

function limit(noun: string | undefined, from = '', to = '', lifted: Lifted): Intent | null {
  const words = (noun ?? '')
    .trim()
    .split(/\s+/)
    .filter(
      word =>
        !/^(?:the|new|our|to|reflect|update|docs?|documentation|default|of|for|number|increase|raise|change|set|mention|maximum|max)$/i.test(
          word,
        ),
    );
  if (words.length === 0 || words.length > 4) return null;
  const unit = (amount: string) => amount.replace(/^[\d.,]+/, '');
  const amount = (text: string) =>
    (unit(from) === unit(to) ? text : text.slice(0, text.length - unit(text).length)).replace(
      /[.,]$/,
      '',
    );
  return {
    kind: 'limit',
    noun: words.join(' '),
    from: amount(from),
    to: amount(to),
    scope: trailingScope(lifted),
  };
}

function readBump(lifted: Lifted): Intent | null {
  const text = restore(lifted.text, lifted);
  const found = new RegExp(
    String.raw`^(?:bump|upgrade|update|pin|raise|set|change|switch)\s+(?:the\s+)?(?:docs\s+(?:to|for)\s+)?(?:(?<name>@?[\w./-]+(?:\s+[\w./-]+){0,2}?)\s+)??(?:versions?\s+)?(?:from\s+(?<from>${VERSION})\s+)?(?:to\s+|${ARROW}\s*)(?:versions?\s+)?(?<to>${VERSION})(?:\s+\((?:up\s+)?(?:from|was)\s+(?<was>${VERSION})\))?${END}`,
    'i',
  ).exec(text);
  const { name: raw, from: said, to, was } = found?.groups ?? {};
  // "Node 18 to 20" says what it was, too.
  const [, name, behind] = new RegExp(String.raw`^(.*[a-z].*?)\s+(${VERSION})$`, 'i').exec(
    said ? '' : (raw ?? ''),
  ) ?? [null, raw];
  const from = said ?? behind;
  if (!to) return null;
  const old = from ?? was;
  const subject = name
    ?.replace(/\s*\b(?:versions?|docs|documentation|the|all|references?|to)\b\s*/gi, ' ')
    .trim();
  if (
    (!old && !subject) ||
    /^(?:for|with|about|on|in|of|how)\b/i.test(subject ?? '') ||
    new RegExp(`^${VERSION}$`, 'i').test(subject ?? '')
  )
    return null;
  return {
    kind: 'bump',
    ...(subject ? { name: { text: subject, quoted: false, named: true } } : {}),
    ...(old ? { from: old } : {}),
    to,
    scope: trailingScope(lifted),
  };
}

function readReplace(lifted: Lifted): Intent | null {
  const { text } = lifted;
  const pair = (found: RegExpExecArray | null) => readPair(found, lifted);

  const tag =
    /^(?:change|update|switch|replace)\s+the\s+(?:npm\s+(?:dist[- ])?|dist[- ])tag\s+from\s+/i.test(
      text,
    );
  const fromTo = pair(
    new RegExp(
      String.raw`^(?:change|update|switch|rename|replace|convert|migrate|move)\s+(?<lead>.*?)\bfrom\s+(?<from>${OP})\s+(?:to|with|${ARROW})\s+(?<to>${OP})${END}`,
      'i',
    ).exec(text),
  );
  const named =
    /^\w+\s+(?:.*?\b(?:name|names|term|terms|word|words|wording|command|method|function|option|flag)\s+(?:change\s+)?)?from\s/i.test(
      text,
    );
  if (
    fromTo &&
    ((literal(fromTo.from) && literal(fromTo.to)) ||
      (named && plausible(fromTo.from, fromTo.rawFrom, fromTo.to, false)))
  ) {
    return replacing(fromTo, tag ? { from: asTag(fromTo.from), to: asTag(fromTo.to) } : {});
  }
  const instead = pair(
    new RegExp(
      String.raw`^(?<lead>.*?)\b(?:use|uses|using|reference|prefer|say|write|mention|point to|link to|call(?: it)?|recommend|import)\s+(?<to>${OP})\s+(?:instead of|rather than|in place of|over)\s+(?<from>${OP})${END}`,
      'i',
    ).exec(text),
  );
  if (instead && KEYWORD.test(instead.from.text) && KEYWORD.test(instead.to.text))
    return inCode(instead);
  if (instead && literal(instead.from) && literal(instead.to))
    return replacing(instead, { from: withPackage(instead.from, instead.to) });

  // "replace references to A with B": the "to" belongs to A wherever there is a "with".
  const join = /^rename\b/i.test(text)
    ? 'to|as|into'
    : /\s(?:with|by)\s/i.test(text)
      ? 'with|by|and replace(?: it)? with'
      : 'to|for|into';
  const strong = pair(
    new RegExp(
      String.raw`^(?:rename|replace|substitute|swap(?: out)?|exchange|find(?: and replace)?)\s+${ALL_OF}(?<from>${OP})\s*(?:\s(?:${join})\s|${ARROW})\s*(?<to>${OP})${END}`,
      'i',
    ).exec(text),
  );
  if (strong && plausible(strong.from, strong.rawFrom, strong.to, /^rename/i.test(text)))
    return replacing(strong);
  const arrow = pair(
    new RegExp(
      String.raw`^(?:(?:rename|replace|change|update|fix|correct|convert)\s+)?(?<from>${OP})\s*${ARROW}\s*(?<to>${OP})${END}`,
      'i',
    ).exec(text),
  );
  if (arrow && KEYWORD.test(arrow.from.text) && KEYWORD.test(arrow.to.text)) return inCode(arrow);
  if (arrow && plausible(arrow.from, arrow.rawFrom, arrow.to, true)) return replacing(arrow);
  const weak = pair(
    new RegExp(
      String.raw`^(?:change|update|switch|convert|migrate|turn|correct|fix)\s+${ALL_OF}(?<from>${OP})\s+(?:to|with|into|for)\s+(?<to>${OP})${END}`,
      'i',
    ).exec(text),
  );
  const instances =
    /\b(?:instances?|occurrences?|mentions?|references?|uses|usages?)\s+(?:of|to)\b/i.test(text);
  if (
    weak &&
    (instances
      ? plausible(weak.from, '', weak.to, true)
      : (literal(weak.from) && literal(weak.to)) || wordForWord(weak, /^update/i.test(text)))
  )
    return replacing(weak);
  const renamed = pair(
    new RegExp(
      String.raw`^(?<from>${OP})\s+(?:is|are|was|were|has been|have been|should be|must be)\s+(?:now\s+)?(?:called|named|renamed(?:\s+to)?|known as|written(?: as)?|spelled|replaced (?:by|with))\s+(?<to>${OP})${END}`,
      'i',
    ).exec(text),
  );
  const should = pair(
    new RegExp(
      String.raw`^(?<from>${OP})\s+(?:should (?:be|read)|becomes?)\s+(?<to>${OP})${END}`,
      'i',
    ).exec(text),
  );
  if (should?.from.quoted && should.to.quoted) return replacing(should);
  if (renamed && plausible(renamed.from, '', renamed.to, true)) return replacing(renamed);
  return null;
}

/**
 * Words that only programs are made of; ones that are English too ("let", "import") come in pairs
 * of two such.
 */
const KEYWORD = /^(?:var|let|const|function|class|interface|type|enum|import|require|async|await)$/;

function inCode({ from, to, scope }: Pair): Intent {
  return {
    kind: 'replace',
    from: { ...from, quoted: true, ticked: true },
    to,
    scope: combine(scope, { kind: 'code' }),
  };
}

interface Pair {
  from: Operand;
  to: Operand;
  rawFrom: string;
  scope: Scope;
}

/**
 * What a pattern found: two operands, and where they are to be exchanged, which may stand before,
 * between or behind them.
 */
function readPair(found: RegExpExecArray | null, lifted: Lifted): Pair | null {
  const { lead = '', from: old = '', to = '' } = found?.groups ?? {};
  if (!found) return null;
  const [, rawFrom = old, place = ''] =
    /^(.*?\uE001\S*)\s+((?:in|on|within|inside|across|throughout)\s.+)$/is.exec(old) ?? [];
  const [, rawTo = to, more = ''] = readOperand(to, lifted).quoted
    ? []
    : (/^(.*?\uE001)(\s.+)$/s.exec(to) ?? []);
  const operands = { from: readOperand(rawFrom, lifted), to: readOperand(rawTo, lifted) };
  // A quoted text with other words around it is a text and something that we do not know.
  if (
    [[operands.from, rawFrom] as const, [operands.to, rawTo] as const].some(
      ([{ quoted }, raw]) => !quoted && raw.includes('\uE000'),
    )
  )
    return null;
  // "with nothing" may mean the word.
  if (operands.from.text === '' || (!operands.to.quoted && NOTHING.test(operands.to.text)))
    return null;
  const scopes = [
    trailingScope({ ...lifted, text: lead }),
    trailingScope({ ...lifted, text: place }),
    trailingScope(lifted, more + lifted.text.slice(found.index + found[0].length)),
  ];
  return { ...operands, rawFrom, scope: scopes.reduce(combine) };
}

function replacing(
  { from, to, scope }: Pair,
  other: { from?: Operand; to?: Operand } = {},
): Intent {
  return { kind: 'replace', from, to, ...other, scope };
}

/** Text to the letter, not a description of it. */
function literal(operand: Operand): boolean {
  return operand.quoted || (operand.text !== '' && (operand.named || isIdentifier(operand.text)));
}

/** "replace the intro with a better one" names no text; "rename workflows to automations" does. */
function plausible(from: Operand, rawFrom: string, to: Operand, renaming: boolean): boolean {
  if (
    from.text === to.text ||
    (to.text === '' && !to.quoted) ||
    (!from.quoted && /:\s/.test(from.text))
  )
    return false;
  const described =
    /^(?:the|this|that|these|those|our|any|some)\s/i.test(rawFrom.trim()) && !renaming;
  if (!literal(from) && (described || from.text.split(/\s+/).length > 4)) return false;
  // "a to b and c to d", with no quotes to tell the four apart.
  if (!to.quoted && /\sand\s.+\s(?:to|with|by)\s/i.test(to.text)) return false;
  return (
    literal(to) ||
    (to.text.split(/\s+/).length <= 5 &&
      !/^(?:an?|new|newer|better|more|something|some|updated|proper|correct|one|ones)\b/i.test(
        to.text,
      ))
  );
}

/**
 * What a document is made of, and what is done to it: such words describe a change, they are not
 * the text to change.
 */
const MAKING = new RegExp(
  String.raw`^(?:an?|the|this|that|these|those|docs?|documentation|pages?|guides?|sections?|titles?|headings?|headers?|descriptions?|links?|urls?|examples?|samples?|snippets?|code|text|wording|tone|style|styles?|voice|defaults?|readme|screenshots?|images?|tables?|lists?|bullets?|paragraphs?|sentences?|intro|introduction|formats?|formatting|order|language|icons?|colou?rs?|files?|folders?|site|navigation|sidebar|menus?|tabs?|everything|all|case|tense|person|` +
    String.raw`use|using|reflect|mention|be|include|match|point|link|show|work|make|say|describe|explain|clarify|support|add|remove|fix|improve|avoid|have|get|refer|reference|follow|handle|allow|past|present|active|passive|bold|italics?|lower|upper|lowercase|uppercase|better|correct|latest|newest)$`,
  'i',
);

/**
 * "Change Jade to Pug": a word or two for a word or two. To update takes names: "update class to
 * interface" may be about anything.
 */
function wordForWord({ from, to }: { from: Operand; to: Operand }, update: boolean): boolean {
  if (
    from.text === to.text ||
    [from, to].some(
      ({ text, quoted }) =>
        quoted || !/^[\p{L}][\p{L}\p{N}'’.-]*(?: [\p{L}][\p{L}\p{N}'’.-]*)?$/u.test(text),
    )
  )
    return false;
  if (`${from.text} ${to.text}`.split(' ').some(word => MAKING.test(word))) return false;
  return !update || [from, to].every(({ text }) => /^\p{Lu}/u.test(text) || isIdentifier(text));
}

/** An npm tag stands behind `@` in commands, never alone. */
function asTag(operand: Operand): Operand {
  return {
    ...operand,
    text: operand.text.startsWith('@') ? operand.text : `@${operand.text}`,
    quoted: true,
  };
}

/** "reference `pkg@latest` instead of `@next`" means `pkg@next`. */
function withPackage(from: Operand, to: Operand): Operand {
  const [, name] = /^((?:@[\w.-]+\/)?[\w.-]+)@(?:\w+|\d[\w.-]*)$/.exec(to.text) ?? [];
  return name !== undefined && /^@[\w.-]+$/.test(from.text)
    ? { ...from, text: name + from.text }
    : from;
}
