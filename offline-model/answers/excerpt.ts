import { askedAbove, type Asked, type Passage, shareHeld, TUNING } from './relevance.ts';
import { tokens } from '../words.ts';

/** Sentences, list items and code that one answer quotes from one passage. */
const MAX_UNITS = 4;
const MAX_CHARACTERS = 900;
/** Lines that lead to the one that is looked for, in code that is too long to be quoted whole. */
const CODE_BEFORE = 2;
/** A part of a passage is quoted beside its best one when it is worth this share of it. */
const BESIDE_BEST = 0.7;

/** What only makes sense after the sentence before it: "It …", "Without it …", "Otherwise …". */
const LEANS_BACK = new RegExp(
  '^(?:(?:with|without|from|in|on|after|before|to|of|by|for|until) )?' +
    '(?:it|its|they|them|their|this|that|these|those|both)\\b|' +
    '^(?:such|then|otherwise|so|but|and|or|also|instead|there(?! (?:is|are)\\b))\\b',
  'i',
);
/** What sends elsewhere, and says nothing itself. */
const SENDS_ELSEWHERE = /^(?:-\s+)?See\b/;

export interface Unit {
  kind: 'code' | 'row' | 'item' | 'sentence';
  /** As it stands in the passage. */
  text: string;
  /** As a reader sees it. */
  shown: string;
}

export interface Excerpt {
  passage: Passage;
  cited: string;
  shown: string;
  /** How well its best part answers: about the share of the question that it holds. */
  worth: number;
}

/**
 * The parts of a passage that answer best, in the page's order, with what they lean on and lead to;
 * none where none answers.
 */
export function excerpt(passage: Passage, asked: Asked): Excerpt | undefined {
  const units = splitUnits(passage.text).map(unit => shorten(unit, asked));
  const ranked = units
    .map((_, index) => ({ index, worth: worth(units, index, passage, asked) }))
    .sort((a, b) => b.worth - a.worth || a.index - b.index);
  const best = ranked[0]?.worth ?? 0;
  const chosen = new Set<number>();
  let size = 0;
  for (const { index, worth: worthOf } of ranked) {
    if (chosen.size >= MAX_UNITS || worthOf === 0 || worthOf < best * BESIDE_BEST) break;
    const parts = withNeighbours(units, index).filter(part => !chosen.has(part));
    const length = parts.reduce((sum, part) => sum + (units[part]?.text.length ?? 0), 0);
    if (chosen.size > 0 && size + length > MAX_CHARACTERS) break;
    for (const part of parts) chosen.add(part);
    size += length;
  }
  if (chosen.size === 0) return undefined;
  const inOrder = [...chosen].sort((a, b) => a - b).flatMap(index => units[index] ?? []);
  const joined = (parts: string[]) => parts.join('\n\n').replace(/\n\n(?=[-*] |\d+\. |\|)/g, '\n');
  return {
    passage,
    cited: joined(inOrder.map(unit => unit.text)),
    shown: joined(inOrder.map(unit => unit.shown)),
    worth: best / (1 + TUNING.laterResult * passage.result),
  };
}

function worth(units: Unit[], index: number, passage: Passage, asked: Asked): number {
  const unit = units[index];
  if (!unit) return 0;
  const above = askedAbove(passage, asked);
  const answersWhole = above >= TUNING.sameQuestion;
  if (SENDS_ELSEWHERE.test(unit.shown) || !(answersWhole || asked.form.test(unit.shown))) return 0;
  const words = tokens(unit.text);
  const shows = unit.kind === 'code' || (leadsIn(unit) && units[index + 1]?.kind === 'code');
  // A row, item or sentence that begins with what is asked about tells of it; code only shows it.
  const tells = !shows && words[0] !== undefined && asked.weights.has(words[0]);
  const share = shareHeld(words, passage, asked) * (tells ? 1.15 : 1);
  // Below a heading that asks the same, the answer comes first, and need not say the words again.
  const first = answersWhole ? above * (1.2 - 0.08 * index) : 0;
  return Math.max(share, first) * (shows && !asked.wantsCode ? 0.6 : 1);
}

/** A part with what it leans on, and with what it leads to. */
function withNeighbours(units: Unit[], index: number): number[] {
  const parts = [index];
  for (
    let first = index;
    first > 0 && units[first]?.kind === 'sentence' && LEANS_BACK.test(units[first]?.text ?? '');
  )
    parts.unshift(--first);
  if (leadsIn(units[index]) && units[index + 1]) parts.push(index + 1);
  return parts;
}

/** What leads in ("Run it with:") says nothing without the code or list that follows. */
function leadsIn(unit: Unit | undefined): boolean {
  return /:\s*$/.test(unit?.text ?? '');
}

/**
 * A unit within `MAX_CHARACTERS`: of code, from shortly before the line that holds most of the
 * question; of text, its beginning.
 */
function shorten(unit: Unit, asked: Asked): Unit {
  if (unit.text.length <= MAX_CHARACTERS) return unit;
  if (unit.kind !== 'code')
    return { ...unit, text: beginning(unit.text, ' '), shown: `${beginning(unit.shown, ' ')} …` };
  const [fence = '', ...lines] = unit.text.split('\n');
  const end = lines.pop() ?? '';
  const scores = lines.map(line => shareHeld(tokens(line), undefined, asked));
  const best = scores.indexOf(Math.max(...scores));
  const part = beginning(lines.slice(Math.max(0, best - CODE_BEFORE)).join('\n'), '\n');
  return { ...unit, text: part, shown: [fence, part, end].join('\n') };
}

/** What fits of a text, up to the last of these characters. */
function beginning(text: string, last: '\n' | ' '): string {
  if (text.length <= MAX_CHARACTERS) return text;
  const end = text.lastIndexOf(last, MAX_CHARACTERS);
  return text.slice(0, end > 0 ? end : MAX_CHARACTERS);
}

/** Code blocks whole, rows of tables, list items, and sentences. */
function splitUnits(text: string): Unit[] {
  const units: Unit[] = [];
  const asIs = (kind: Unit['kind'], parts: string[]) =>
    units.push(...parts.map(part => ({ kind, text: part, shown: part })));
  for (const part of text.split(/(^ *```[\s\S]*?^ *```[^\S\n]*$)/m)) {
    if (/^ *```/.test(part)) {
      asIs('code', [part]);
      continue;
    }
    for (const paragraph of part.split(/\n\s*\n/)) {
      const plain = paragraph.trim();
      if (plain === '' || /^#{1,6}\s/.test(plain)) continue;
      if (plain.startsWith('|')) units.push(...tableRows(plain));
      else if (/^(?:[-*+]|\d+[.)])\s/m.test(plain))
        asIs(
          'item',
          plain.split(/\n(?=(?:[-*+]|\d+[.)])\s)/).map(item => item.trim()),
        );
      else
        asIs(
          'sentence',
          plain
            .split(/(?<=[.!?])\s+(?=[A-Z`“"])/)
            .map(sentence => sentence.replace(/\s*\n\s*/g, ' ')),
        );
    }
  }
  return units;
}

/**
 * Each row of a table as a list item that says what its columns mean: "- `PORT`: Default: 3000;
 * Meaning: …".
 */
function tableRows(table: string): Unit[] {
  const [head = '', ...rows] = table
    .split('\n')
    .filter(line => line.trim().startsWith('|') && !/^[\s|:-]+$/.test(line));
  const names = cells(head);
  return rows.map(row => {
    const [first = '', ...rest] = cells(row);
    const told = rest.flatMap((value, index) =>
      value === ''
        ? []
        : [names.length > 2 && names[index + 1] ? `${names[index + 1]}: ${value}` : value],
    );
    return {
      kind: 'row' as const,
      text: row,
      shown: `- ${first}${told.length > 0 ? ` – ${told.join('; ')}` : ''}`,
    };
  });
}

function cells(row: string): string[] {
  return row
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map(cell => cell.replaceAll('\\|', '|').trim());
}
