import { heldBack, mayLimitOthers, passedOver, swallowed } from './limits.ts';
import { type Lifted, liftQuotes, type Operand, original, restore } from './operands.ts';
import { readContentIntent, readPageIntent } from './recognize-pages.ts';
import { readTextIntent } from './recognize-text.ts';
import { combine, isRestriction, trailingScope } from './scope.ts';
import { type Part, shareLimits } from './shared-limits.ts';

/** Where an instruction says that it applies; everywhere when empty. */
export interface Scope {
  /** A page, a folder, or the topic that one page is about. */
  place?: Operand;
  /** A page or folder that stays as it is. */
  except?: Operand;
  /** The heading of a section; `every` one of that name, not the only one. */
  section?: Operand & { every: boolean };
  /** `code` is within sentences as well, `blocks` stand alone. */
  kind: 'all' | 'prose' | 'code' | 'blocks' | 'headings';
  /** 1-based, both inclusive. */
  lines?: { from: number; to: number };
  /** What stays as it is. */
  spare?: 'headings' | 'blocks';
  /** Nothing else may change, be it a link that would follow. */
  only?: true;
  /** A limit that we cannot keep, as it was said: what has one is left alone. */
  unclear?: string;
  /**
   * The place stood as a label before a colon, which may also say something else: where it names no
   * page, it is no limit.
   */
  label?: true;
}

/** The mechanical instructions that the offline model carries out. */
export type Intent =
  | { kind: 'replace'; from: Operand; to: Operand; scope: Scope }
  | { kind: 'https'; scope: Scope }
  | { kind: 'typo'; word?: Operand; right?: Operand; scope: Scope }
  | { kind: 'links'; scope: Scope }
  | { kind: 'limit'; noun: string; from: string; to: string; scope: Scope }
  | { kind: 'bump'; name?: Operand; from?: string; to: string; scope: Scope }
  | { kind: 'frontmatter'; page: Operand; member: string; value: string }
  | { kind: 'add-page'; path?: string; title?: string; text: string }
  | { kind: 'add-section'; page: Operand; heading: string; text: string; after?: Operand }
  | { kind: 'add-text'; page: Operand; section?: string; text: string; at: 'start' | 'end' }
  | { kind: 'remove-text'; page: Operand; text: string; ticked: boolean }
  | { kind: 'delete-page'; page: Operand; redirectTo?: Operand }
  | { kind: 'move-page'; page: Operand; to: string };

/** One thing asked: what it means, or null where we do not know. */
export interface Request {
  text: string;
  intent: Intent | null;
  /** What another part of the instruction limits, which this one cannot keep to. */
  limit?: string;
  /** Why it is asked back and not carried out, as sentences. */
  doubt?: string;
}

/**
 * No mechanical instruction is longer, quoted parts aside; it also bounds what the patterns may
 * cost.
 */
const LONGEST = 500;
/** More parts than this are a text, not a list of things to do. */
const MOST_PARTS = 200;

/**
 * Reads an instruction as the mechanical things it asks for, in order. What is not
 * understood is kept, so that the answer can say so.
 */
export function readInstruction(text: string): Request[] {
  const opened = withoutOpening(text);
  const lifted = liftQuotes(opened);
  const content = readWithText(lifted);
  if (content) return [{ text: opened, intent: content }];
  const line = { ...lifted, text: lifted.text.replace(/[^\S\n]+/g, ' ') };
  const pieces = splitPieces(line);
  if (pieces.length > MOST_PARTS) return [{ text: opened, intent: null }];
  const parts =
    pieces.length > 0 ? pieces : [{ text: line.text, sentence: 0, clause: 0, then: false }];
  const read = shareLimits(
    parts.map(part => ({
      ...part,
      text: withoutOpening(part.text),
      item: ITEM.test(part.text),
      intent: readOne({ ...line, text: part.text }),
    })),
    line,
  );
  const limits = read.flatMap(({ text: piece, intent }) =>
    !intent && (isRestriction(piece) || mayLimitOthers(restore(piece, line))) ? [piece] : [],
  );
  const ours =
    limits.length > 0 && read.some(({ intent }) => intent && mayReachFurther(intent))
      ? read.flatMap(part => limited(part, limits, line))
      : read;
  if (!ours.some(({ intent }) => intent)) return [{ text: opened, intent: readOne(line) }];
  const held = heldBack(line.text);
  return ours.map(part => requested(part, held, line));
}

const ITEM = /^\s*(?:[-*•]|\d+[.)])\s/;

function requested(
  { text, intent, limit, doubt }: Part,
  held: string | undefined,
  line: Lifted,
): Request {
  const tail = swallowed(intent);
  const why =
    held !== undefined
      ? `you also said “${held}”. Send it without that to have it done.`
      : tail !== undefined
        ? `I cannot tell whether “${tail}” is all new text. Put the old and the new text in quotes.`
        : doubt;
  return {
    text: original(text.trim(), line),
    intent,
    ...(limit === undefined ? {} : { limit }),
    ...(why === undefined ? {} : { doubt: why }),
  };
}

/** Whether it may change other pages than the one that it names: those with links to it, too. */
function mayReachFurther(intent: Intent): boolean {
  return 'scope' in intent || intent.kind === 'delete-page' || intent.kind === 'move-page';
}

/** A part under the limits that sentences of their own set; they are no requests themselves. */
function limited(part: Part, limits: string[], line: Lifted): Part[] {
  const { text, intent } = part;
  if (limits.includes(text)) return [];
  if (!intent || !mayReachFurther(intent)) return [part];
  const said = (limit: string) => original(limit.trim(), line);
  if (!('scope' in intent)) return [{ ...part, limit: said(limits[0] ?? '') }];
  const scope = limits
    .map(limit =>
      isRestriction(limit) && limit.length <= LONGEST
        ? trailingScope(line, `, ${withoutEnd(limit)}`)
        : { kind: 'all' as const, unclear: said(limit) },
    )
    .reduce(combine, intent.scope);
  return [{ ...part, text: [text, ...limits].join(' '), intent: { ...intent, scope } }];
}

/**
 * An instruction with a text behind a colon, which may be of many sentences and is taken as it is.
 */
function readWithText(lifted: Lifted): Intent | null {
  const at = lifted.text.search(/:\s/);
  if (at < 1 || at > LONGEST) return null;
  const text = original(lifted.text.slice(at + 1), lifted).trim();
  if (text === '') return null;
  const quoted = liftQuotes(text);
  const whole =
    quoted.parts.length === 1 &&
    /^\S+$/.test(quoted.text) &&
    quoted.text.startsWith('\uE000') &&
    quoted.text.endsWith('\uE001');
  const mark = `\uE000${lifted.parts.length}\uE001`;
  return readContentIntent({
    text: `${lifted.text.slice(0, at).replace(/\s+/g, ' ')}: ${mark}`,
    parts: [...lifted.parts, whole ? (quoted.parts[0] ?? '') : text],
    raw: [...lifted.raw, text],
  });
}

function readOne(lifted: Lifted): Intent | null {
  const piece = { ...lifted, text: withoutEnd(withoutOpening(lifted.text)) };
  if (piece.text.length > LONGEST || NEGATED.test(piece.text)) return null;
  const intent = readContentIntent(piece) ?? readPageIntent(piece) ?? readTextIntent(piece);
  const unread = intent && 'scope' in intent ? passedOver(intent, piece) : undefined;
  return intent && 'scope' in intent && unread !== undefined
    ? { ...intent, scope: { ...intent.scope, unclear: unread } }
    : intent;
}

/** What begins so asks for something not to be done, or for nothing that a pattern knows. */
const NEGATED =
  /^(?:but\s+)?(?:do not|don['’]?t|never|not|without|except|leave|skip|keep|ignore|avoid|everywhere|outside)\b/i;

/** Bullets, commit prefixes and politeness say nothing about what to do. */
function withoutOpening(text: string): string {
  return text
    .trim()
    .replace(/^(?:[-*•]|\d+[.)])\s+/, '')
    .replace(
      /^(?:\p{Extended_Pictographic}\uFE0F?\s*|\[\w[\w -]{0,20}\]:?\s+(?=\S)|\((?:docs?|fix)\)\s+)+/iu,
      '',
    )
    .replace(/^(?:docs?|fix|chore|feat|style|refactor)(?:\([^)\n]*\))?!?\s?:\s+/i, '')
    .replace(/^(?:hi|hello|hey)[,!.]?\s+/i, '')
    .replace(/^(?:please|kindly|now|then|also|and|next|finally|first)[,:]?\s+/i, '')
    .replace(
      /^(?:(?:can|could|would|will) you|i(?:'d like| want| need) you to|you should|we should|we need to|let's|go ahead and|(?:do not|don['’]?t) forget to)\s+(?:please\s+)?/i,
      '',
    )
    .replace(
      new RegExp(String.raw`^(${Object.keys(TOLD).join('|')})(?:e|e?s|e?d|ing)?\b:?(?=\s)`, 'i'),
      (_, root: string) => TOLD[root.toLowerCase()] ?? root,
    );
}

/**
 * What "fixed", "fixes" and "fixing" begin with, and the verb: a commit's subject tells what a
 * prompt asks.
 */
const TOLD: Record<string, string> = {
  fix: 'fix',
  correct: 'correct',
  chang: 'change',
  renam: 'rename',
  replac: 'replace',
  updat: 'update',
  convert: 'convert',
  remov: 'remove',
  delet: 'delete',
  bump: 'bump',
};

/** Nor do issue numbers, thanks and the full stop. */
function withoutEnd(text: string): string {
  return text
    .replace(/\s+\(#\d+\)$/, '')
    .replace(/[,\s]+(?:please|thanks|thank you)[.!]?$/i, '')
    .replace(/[.!?\s]+$/, '');
}

const VERBS =
  '(?:rename|replace|change|update|fix|correct|add|append|delete|remove|move|bump|set|use|upgrade|mend|insert|swap|switch)';

const PAIR = String.raw`\uE000\d+\uE001\s+(?:to|with|by)\s+\uE000\d+\uE001`;
/**
 * `Change "a" to "b" and "c" to "d" in code`: the verb and what stands behind are for each of the
 * pairs.
 */
const PAIRS = new RegExp(
  String.raw`^(\w+)\s+(${PAIR}(?:(?:,?\s+and\s+|,\s+)${PAIR})+)((?:(?!,?\s+and\s|[.!]\s|[;\n])[^])*)`,
  'i',
);

/**
 * Sentences, lines, and parts joined by "and then" or by "and" with another verb; quotes are
 * already out of the way.
 */
function splitPieces(lifted: Lifted): Pick<Part, 'text' | 'sentence' | 'clause' | 'then'>[] {
  const joined = new RegExp(String.raw`,?\s+(and\s+then|then|and(?=\s+${VERBS}\b))\s+`, 'gi');
  return eachTypo(lifted.text)
    .replace(PAIRS, (_, verb: string, pairs: string, where: string) =>
      pairs
        .split(/(?<=\uE001)(?:,?\s+and\s+|,\s+)(?=\uE000)/)
        .map(pair => `${verb} ${pair}${where}`)
        .join(' then '),
    )
    .split(
      /\n+|(?<=[^\s.][.!])(?<!^\s*\d+\.)\s+(?=[A-Z\uE000]|(?:do|don['’]?t|never|not|only|just|leave|keep|skip|except|but)\s)/m,
    )
    .flatMap((sentence, index) =>
      sentence.split(/;\s+/).flatMap((clause, at) => {
        const [first = '', ...others] = clause.split(joined);
        const parts = [{ text: first, then: false }];
        for (let next = 0; next < others.length; next += 2)
          parts.push({ text: others[next + 1] ?? '', then: /then/i.test(others[next] ?? '') });
        return parts.map(part => ({ ...part, sentence: index, clause: at }));
      }),
    )
    .filter(
      ({ text }) =>
        /[a-z\uE000]/i.test(text) &&
        !/^\s*(?:thanks?|thank you|cheers)\b[^\uE000]{0,20}$/i.test(text),
    );
}

/** "Fix typos (a -> b, c -> d)" asks for as many corrections as there are pairs. */
function eachTypo(text: string): string {
  const list = /^[^\n(:]{0,80}\btypos?\b[^\n(:]{0,40}?[:(]\s*([^\n]+?)\)?$/i.exec(text)?.[1];
  const pairs = list?.split(/\s*,\s*(?:and\s+)?|\s+and\s+/) ?? [];
  return pairs.length > 1 && pairs.every(pair => /^\S+\s*(?:->|→|=>|>)\s*\S+$/.test(pair))
    ? pairs.map(pair => `fix typo: ${pair}`).join('\n')
    : text;
}
