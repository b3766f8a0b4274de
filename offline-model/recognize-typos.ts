import type { Intent, Scope } from './instruction.ts';
import {
  isIdentifier,
  isPath,
  type Lifted,
  type Operand,
  readOperand,
  restore,
} from './operands.ts';
import { ARROW, trailingScope } from './scope.ts';
import { slips } from './slips.ts';

const MARK = String.raw`\uE000\d+\uE001`;
const BECOMES = String.raw`(?:${ARROW}|>|should\s+(?:be|read)|(?:is\s+)?spelled(?:\s+as)?)`;
/** Words that say something of the typo and are not it. */
const TALK =
  /^(?:fix|correct|change|update|one|two|three|four|five|couple|these|those|another|other|more|an?|the|all|any|some|few|several|minor|small|tiny|little|simple|docs?|documentation|various|and|of|in|on|for|to|with|from|by|broken|common|typos?|spelling|grammar|grammatical|mistakes?|errors?|words?|text|page|code|link|links|url|name|comment|comments|example|examples)$/i;

/** Reads "fix the typo …": a wrong spelling with the right one, one of the two, or neither. */
export function readTypo(lifted: Lifted): Intent | null {
  const { text } = lifted;
  if (
    !/\b(?:typos?|misspell\w*|misspelt|spelling)\b/i.test(text) ||
    /^(?:add|write|document|explain|create)\b/i.test(text)
  )
    return null;
  const scope = typoScope(lifted);
  // "The typo in the title": a named word that stands in one place is there; more places are a
  // matter of `findArea`.
  const there = scope.place && !/\bonly\b/i.test(text) ? sure(scope) : scope;
  const pair = readPair(lifted);
  if (pair?.[0].text === '') return null;
  if (pair) return { kind: 'typo', word: pair[0], right: pair[1], scope: there };
  const word = readWord(lifted);
  return word ? { kind: 'typo', word, scope: there } : { kind: 'typo', scope };
}

/** Without the doubt about the place itself; any other limit stands. */
function sure(scope: Scope): Scope {
  const { unclear, ...rest } = scope;
  return unclear?.replace(/^the\s+/i, '') === scope.place?.text ? rest : scope;
}

/** The last place named; a quoted text that is no path is the typo, not its place. */
function typoScope(lifted: Lifted): Scope {
  const scope = trailingScope(lifted);
  const path = /\b(?:in|on)\s+(\uE000\d+\uE001)/i.exec(lifted.text)?.[1];
  if (path && isPath(restore(path, lifted)))
    return { ...sure(scope), place: readOperand(path, lifted) };
  const { place, ...rest } = scope;
  return place && lifted.parts.includes(place.text) && !isPath(place.text) ? rest : scope;
}

function readPair(lifted: Lifted): [Operand, Operand] | null {
  const { text } = lifted;
  const quoted = new RegExp(
    String.raw`(${MARK})(?:\s+(?:typo|spelling))?,?\s*(?:${BECOMES}|\b(?:to|with|into|instead of)\b)\s*(?:the\s+)?(${MARK})`,
    'i',
  ).exec(text);
  if (quoted) return operands(quoted[1], quoted[2], lifted);
  const listed = new RegExp(
    String.raw`(?:typos?|spelling|misspelling)\s*(?:of\s+|fix\s*)?[:–—-]\s*([\w'’. -]+?)\s*${ARROW}\s*([\w'’. -]+?)$`,
    'i',
  ).exec(text);
  if (listed) return operands(listed[1], listed[2], lifted);
  const arrow = new RegExp(String.raw`([^\s"():,<]+)\s*${BECOMES}\s*([^\s"(),:]+)`, 'i').exec(text);
  if (arrow) return operands(arrow[1], arrow[2], lifted);
  // "fix the typo in link to docs" has a "to" as well: what is one for the other looks like it.
  for (const [, wrong = '', right = ''] of text.matchAll(
    /(?<=^|\s)([^\s"():,]+)\s+(?:typo\s+)?(?:to|with|into)\s+(?=([^\s"():,]+))/gi,
  )) {
    if (
      slips(wrong.toLowerCase(), right.toLowerCase()) <= 2 &&
      Math.min(wrong.length, right.length) > 2
    )
      return operands(wrong, right, lifted);
  }
  return null;
}

function operands(
  wrong: string | undefined,
  right: string | undefined,
  lifted: Lifted,
): [Operand, Operand] {
  return [exact(wrong ?? '', lifted), exact(right ?? '', lifted)];
}

/** The one word that is named: the wrong one, or what it should be. */
function readWord(lifted: Lifted): Operand | null {
  const { text } = lifted;
  // "missing r in Troubleshooting" names a letter and perhaps the right word: neither is to be
  // replaced.
  if (/\bmissing\b/i.test(text)) return null;
  const marks = (text.match(new RegExp(MARK, 'g')) ?? []).filter(mark => {
    const part = restore(mark, lifted);
    return part.length > 1 && !isPath(part);
  });
  const last = marks.at(-1);
  if (last) return exact(last, lifted);
  const before = /(?:^|\s)([\p{L}\p{N}$@._-]+)\s+(?:typos?|misspelling|spelling)\b/iu.exec(
    text,
  )?.[1];
  if (before && !TALK.test(before)) return exact(before, lifted);
  const behind =
    /\b(?:typos?|misspelling|misspelled|misspelt|spelling(?:\s+of)?)(?:\s+(?:of|for|word|the|term))*:?\s+\(?([\p{L}\p{N}$@._-]+)\)?$/iu.exec(
      text,
    )?.[1];
  if (behind && !TALK.test(behind)) return exact(behind, lifted);
  const within = /\btypos?\s+(?:in|on|with)\s+(?:the\s+)?([\w$@.-]+)$/i.exec(text)?.[1];
  return within && isIdentifier(within) && !isPath(within) && !/\.\w{2,4}$/.test(within)
    ? exact(within, lifted)
    : null;
}

function exact(raw: string, lifted: Lifted): Operand {
  return {
    text: restore(raw, lifted)
      .trim()
      .replace(/(?:\.{3}|…)$/, ''),
    quoted: true,
    named: true,
  };
}
