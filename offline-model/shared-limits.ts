import type { Intent, Scope } from './instruction.ts';
import { takesAway } from './limits.ts';
import { isPath, type Lifted, original, restore } from './operands.ts';
import { ARROW, combine, readScope } from './scope.ts';

/** A part of an instruction, its bullet and politeness taken off, and what it asks for. */
export interface Part {
  text: string;
  intent: Intent | null;
  /** Parts of one sentence, and in it of one clause, stand side by side. */
  sentence: number;
  clause: number;
  /** An item of a list says for itself where it applies. */
  item: boolean;
  /** "then" stands before it, not "and" alone. */
  then: boolean;
  /** A limit that it has and that cannot be kept. */
  limit?: string;
  /** Why it is asked back, as a sentence. */
  doubt?: string;
}

const VERB =
  '(?:rename|replace|change|update|fix|correct|remove|delete|bump|use|upgrade|mend|swap|switch|set|append|add|insert|move)';
const LEADING = [
  /^(?<only>(?:only|just)\s+)?(?:in|on|within|inside|under|below|across|throughout|update)\s+(?<where>.+?)(?:,|:|\s+[-–—])\s+\S/is,
  new RegExp(
    String.raw`^(?<only>(?:only|just)\s+)?(?:in|on|within|inside)\s+(?<where>\S+)\s+(?=${VERB}\s)`,
    'i',
  ),
];
const LEADING_PATH = new RegExp(
  String.raw`^(?:(?:only|just|for|at|to|from|update|fix|edit)\s+)*(?<where>\S+?)(?:[,:]|(?<=\.mdx?|\uE001))\s+(?!${ARROW}|(?:to|is|are|should|becomes?)\b)\S`,
  'i',
);
const WHERE = /\s(?:in|on|under|below|within|inside|across|throughout|for|from)\s/i;
const EVERYWHERE =
  /\b(?:everywhere|wherever|throughout|across|all (?:of )?(?:the )?(?:pages|docs|files))\b/i;

/**
 * Where one part says for others, too, that it applies: "In a.md, X and Y" means both, and so does
 * "X and Y, except in a.md".
 */
export function shareLimits(parts: Part[], lifted: Lifted): Part[] {
  const shared = parts.map((part, index) =>
    shareTrailing(
      part,
      parts
        .slice(index + 1)
        .findLast(({ sentence, clause }) => sentence === part.sentence && clause === part.clause),
      lifted,
    ),
  );
  let lead: { scope: Scope; sentence: number; text: string } | undefined;
  return shared.map(part => {
    const scope = leadingScope(part, lifted);
    if (scope) lead = { scope, sentence: part.sentence, text: part.text };
    else if (part.item && lead?.sentence !== part.sentence) lead = undefined;
    else if (lead) return under(part, lead, lifted);
    return part;
  });
}

/** Where the beginning of a part says that it applies. */
function leadingScope({ text, intent }: Part, lifted: Lifted): Scope | undefined {
  const { where, only } = LEADING.map(pattern => pattern.exec(text)?.groups).find(Boolean) ?? {};
  const path = LEADING_PATH.exec(text)?.groups?.['where'] ?? '';
  if (where !== undefined) return readScope(`${where}${only ? ' only' : ''}`, lifted);
  if (isPath(restore(path, lifted))) return readScope(path, lifted);
  return intent && 'scope' in intent && intent.scope.label ? intent.scope : undefined;
}

/**
 * A part under a limit that another one began with. In another sentence, a place of its own is
 * meant instead.
 */
function under(
  part: Part,
  lead: { scope: Scope; sentence: number; text: string },
  lifted: Lifted,
): Part {
  const { intent, sentence, text } = part;
  const apart = sentence !== lead.sentence;
  if (
    !intent ||
    (apart && (!('scope' in intent) || intent.scope.place !== undefined || EVERYWHERE.test(text)))
  )
    return part;
  return withScope(part, lead.scope, original(lead.text, lifted));
}

/**
 * What the last part of a clause says of where. What it leaves out, the others leave out; whether a
 * mere place is meant for them, too, nobody can tell.
 */
function shareTrailing(part: Part, last: Part | undefined, lifted: Lifted): Part {
  if (!part.intent || !last?.intent || !('scope' in last.intent) || !limits(last.intent.scope))
    return part;
  const { scope } = last.intent;
  if (scope.except || scope.spare || scope.only || takesAway(last.text))
    return withScope(part, scope, original(last.text, lifted));
  if (last.then || !WHERE.test(last.text) || !('scope' in part.intent) || limits(part.intent.scope))
    return part;
  return {
    ...part,
    doubt: `I cannot tell whether “${original(last.text, lifted)}” says where for it, too. Say where for each.`,
  };
}

function withScope(part: Part, scope: Scope, said: string): Part {
  const { intent } = part;
  if (intent?.kind === 'delete-page' || intent?.kind === 'move-page')
    return { ...part, limit: said };
  return intent && 'scope' in intent
    ? {
        ...part,
        intent: {
          ...intent,
          scope: same(intent.scope, scope) ? scope : combine(intent.scope, scope),
        },
      }
    : part;
}

/** One limit that was handed on to both. */
function same(one: Scope, other: Scope): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function limits({ kind, ...others }: Scope): boolean {
  return kind !== 'all' || Object.keys(others).length > 0;
}
