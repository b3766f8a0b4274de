import type { Intent, Scope } from './instruction.ts';
import { type Lifted, type Operand, restore } from './operands.ts';

/** Words that a limit is made of, however it is put; of "except" also what fingers make of it. */
const LIMITING =
  /(?<![\w./-])(?:only|just|solely|merely|not(?!\s+v?\d)|(?:don|doesn|didn|isn|aren|won|shouldn|mustn)['’]?t|cannot|never|no(?!\s+longer\b)|nothing|none|nowhere|neither|nor|but|unless|without|outside|besides|aside|apart|other than|minus|save(?=\s+(?:for|in|on|the|\S+\.mdx?)\b)|barring|ex\w{0,3}pt\w*|exc\w+|exl?c?lud\w+|exempt\w*|omit\w*|avoid\w*|ignor\w+|spar(?:e|es|ing)|skip\w*|leav\w+|keep\w*|kept|stay\w*|remain\w*|alone|untouched|unchanged|intact|as[ -]is|as (?:it|they) (?:is|are)|hands[ -]off|off[ -]limits)(?![\w/-]|\.\w)|!(?=\w)/i;
/** Words that look like such and take nothing away. */
const REST =
  /\b(?:(?:leav\w+|keep\w*|(?:do not|don['’]?t)\s+\w+)\s+(?:the rest|(?:any|every)thing else)(?:\s+(?:alone|unchanged|untouched|as (?:is|it is|they are)))?|nothing else|no other changes?)\b/i;
const SORT =
  /\b(?:code|snippets?|examples?|samples?|prose|headings?|headers?|tables?|front ?matter|pages?|files?|folders?|sections?)\b/i;
const PAGE = /(?<![\w./-])[\w./-]+\.mdx?\b|(?<!\S)\.?\/?\w[\w-]*(?:\/[\w.-]+)+/gi;
const REASON =
  /\s*\b(?:due to|because|since|so that|as (?:it|they|we|the|this|that)\b|to (?:match|reflect|avoid|align|be|keep)\b).*$/is;
/** What asks for something to be done, not left. */
const REQUEST =
  /^(?:rename|replace|change|update|fix|correct|add|append|delete|remove|move|bump|set|use|upgrade|mend|insert|swap|switch|write|document|explain|improve|translate|mention|create|describe|summari[sz]e|rewrite|clarify|simplify|convert)\b/i;

/**
 * Whether words that nobody understood could say where something may or may not change: then it is
 * better asked than broken.
 */
export function mayLimit(text: string): boolean {
  return mayTakeAway(text.replace(REST, '')) || SORT.test(text);
}

/**
 * Whether a sentence that nobody understood may limit the others, rather than ask for something
 * more.
 */
export function mayLimitOthers(sentence: string): boolean {
  return REQUEST.test(sentence) ? LIMITING.test(sentence) : mayLimit(sentence);
}

/** Without why it is asked, unless a limit is in there. */
export function withoutReason(text: string): string {
  return text.replace(REASON, reason =>
    (LIMITING.test(reason.replace(/^\s*to (?:avoid|keep)\b/i, '')) ||
      /^\s*to (?:avoid|keep)\b/i.test(reason)) &&
    (SORT.test(reason) || reason.search(PAGE) >= 0)
      ? reason
      : '',
  );
}

/**
 * What an instruction says of a limit, or of a page, that its reading does not hold: no pattern may
 * pass over one.
 */
export function passedOver(
  intent: Extract<Intent, { scope: Scope }>,
  lifted: Lifted,
): string | undefined {
  const { scope } = intent;
  if (scope.unclear !== undefined) return undefined;
  const operands = Object.values(intent).filter(
    (value): value is Operand => typeof value === 'object' && 'quoted' in value,
  );
  const phrase = operands.find(
    ({ text, quoted }) =>
      !quoted && /[\s—–]/.test(text) && (mayTakeAway(text) || /[,;]\s/.test(text)),
  );
  const place = [scope.place, scope.section].find(
    one => one && /\s/.test(one.text) && LIMITING.test(one.text),
  );
  if (phrase ?? place) return (phrase ?? place)?.text;
  const said = withoutReason(lifted.text);
  const read =
    scope.except ?? scope.spare ?? scope.only ?? (scope.kind === 'all' ? undefined : scope.kind);
  const bare = operands
    .filter(({ text }) => !/\s/.test(text))
    .reduce((text, one) => text.replace(one.text, ' '), said.replace(REST, ' '));
  const at = read === undefined ? bare.search(LIMITING) : -1;
  if (at >= 0) return restore(bare.slice(at), lifted).trim();
  const known = [scope.place, scope.except, scope.section, ...operands].flatMap(
    one => one?.text ?? [],
  );
  return restore(said, lifted)
    .match(PAGE)
    ?.find(page => !known.some(text => text.includes(page)));
}

/** Whether words take something away, be it said before or behind what they are about. */
export function takesAway(text: string): boolean {
  return LIMITING.test(text.replace(REST, ' '));
}

/** Words that take the whole request back, or put it off: nothing of it is to be done now. */
const HOLD = new RegExp(
  [
    String.raw`\b(?:scratch (?:that|this|it)|never ?mind|(?:forget|disregard|cancel|undo) (?:that|this|it)|on second thoughts?|(?:wait|hold off|hold on) (?:for|until|till|with)|(?:my|our) (?:approval|ok(?:ay)?|go-?ahead|confirmation|permission)|(?:ask|tell|show|check with) me (?:first|before)|before (?:you )?(?:chang|edit|do|commit|push|touch|mak)(?:e|ing)?)\b`,
    String.raw`(?:^|[(\[,;:.!?–—-]\s*)(?:(?:this is )?(?:just |only )?(?:a )?(?:dry[- ]run(?: only)?|test(?: only| run)|preview only)|cancel(?:led)?|stop|wait)\s*(?=[)\],.;:!–—]|\s-|$)`,
  ].join('|'),
  'i',
);

/** What of an instruction says that it is not to be carried out now. */
export function heldBack(text: string): string | undefined {
  return HOLD.exec(text)?.[0]
    .replace(/^[^\w]+/, '')
    .trim();
}

const CHAT =
  /\s(?:please|asap|today|tonight|tomorrow|now|again|there|too|also|thanks|immediately|first|already)$/i;

/**
 * A new text without quotes that may hold words which are about the request: it has more of them
 * than the old one.
 */
export function swallowed(intent: Intent | null): string | undefined {
  if (intent?.kind !== 'replace' || intent.to.quoted) return undefined;
  const [before, after] = [intent.from, intent.to].map(
    ({ text }) => text.trim().split(/\s+/).length,
  );
  return (after ?? 0) > (before ?? 0) || CHAT.test(intent.to.text) ? intent.to.text : undefined;
}

function mayTakeAway(text: string): boolean {
  return LIMITING.test(text) || text.search(PAGE) >= 0;
}
