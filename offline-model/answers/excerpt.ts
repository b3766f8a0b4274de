import { type Asked, type Passage, shareHeld, TUNING } from './relevance.ts';
import { tokens } from './words.ts';

/** That one answer quotes from one passage. */
const MAX_CHARACTERS = 900;
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
/** What leads in ("Run it with:") says nothing without the code or list that follows. */
const LEADS_IN = /:\s*$/;

interface Unit {
  kind: 'code' | 'item' | 'sentence';
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
 * none if none answers.
 */
export function excerpt(passage: Passage, asked: Asked): Excerpt | undefined {
  const units = splitUnits(passage.text);
  const ranked = units
    .map((_, index) => ({ index, worth: worthOf(units, index, passage, asked) }))
    .sort((a, b) => b.worth - a.worth || a.index - b.index);
  const best = ranked[0]?.worth ?? 0;
  const chosen = new Set<number>();
  let size = 0;
  for (const { index, worth } of ranked) {
    if (worth === 0 || worth < best * BESIDE_BEST) break;
    const parts = withNeighbours(units, index).filter(part => !chosen.has(part));
    size += parts.reduce((sum, part) => sum + (units[part]?.text.length ?? 0), 0);
    if (chosen.size > 0 && size > MAX_CHARACTERS) break;
    for (const part of parts) chosen.add(part);
  }
  if (chosen.size === 0) return undefined;
  const inOrder = units.filter((_, index) => chosen.has(index));
  const joined = (parts: string[]) => parts.join('\n\n').replace(/\n\n(?=[-*] |\d+\. |\|)/g, '\n');
  return {
    passage,
    cited: joined(inOrder.map(({ text }) => text)),
    shown: joined(inOrder.map(({ shown }) => shown)),
    worth: best / (1 + TUNING.laterResult * passage.result),
  };
}

function worthOf(units: Unit[], index: number, passage: Passage, asked: Asked): number {
  const { kind, text = '' } = units[index] ?? {};
  if (SENDS_ELSEWHERE.test(text) || asked.form?.test(text) === false) return 0;
  const words = tokens(text);
  const shows = kind === 'code' || (LEADS_IN.test(text) && units[index + 1]?.kind === 'code');
  // What begins with what is asked about tells of it; code only shows it.
  const tells = !shows && asked.weights.has(words[0] ?? '');
  return shareHeld(words, passage, asked) * (tells ? 1.15 : 1) * (shows && !asked.wantsCode ? 0.6 : 1); // prettier-ignore
}

/** A part with what it leans on, and with what it leads to. */
function withNeighbours(units: Unit[], index: number): number[] {
  const parts = [index];
  const leans = (at: number) =>
    units[at]?.kind === 'sentence' && LEANS_BACK.test(units[at]?.text ?? '');
  for (let first = index; first > 0 && leans(first);) parts.push(--first);
  if (LEADS_IN.test(units[index]?.text ?? '') && units[index + 1]) parts.push(index + 1);
  return parts;
}

/** Code blocks whole, rows of tables, list items, and sentences. */
function splitUnits(text: string): Unit[] {
  return text.split(/(^ *```[\s\S]*?^ *```[^\S\n]*$)/m).flatMap((part): Unit[] => {
    if (/^ *```/.test(part)) return unitsOf('code', [part]);
    return part.split(/\n\s*\n/).flatMap(paragraph => {
      const plain = paragraph.trim();
      if (plain === '' || /^#{1,6}\s/.test(plain)) return [];
      if (plain.startsWith('|')) return tableRows(plain);
      if (/^(?:[-*+]|\d+[.)])\s/m.test(plain))
        return unitsOf('item', plain.split(/\n(?=(?:[-*+]|\d+[.)])\s)/));
      return unitsOf(
        'sentence',
        plain.replace(/\s*\n\s*/g, ' ').split(/(?<=[.!?])\s+(?=[A-Z`“"])/),
      );
    });
  });
}

/** What is too long to be quoted is left out. */
function unitsOf(kind: Unit['kind'], parts: string[]): Unit[] {
  const texts = parts.map(part => part.trim()).filter(({ length }) => length <= MAX_CHARACTERS);
  return texts.map(text => ({ kind, text, shown: text }));
}

/** Each row of a table with what its columns mean: "- `PORT` – Default: 3000; Meaning: …". */
function tableRows(table: string): Unit[] {
  const [head = '', ...rows] = table
    .split('\n')
    .filter(line => line.trim().startsWith('|') && !/^[\s|:-]+$/.test(line));
  const names = cells(head);
  return rows.map(row => {
    const [first = '', ...rest] = cells(row);
    const named = (value: string, at: number) =>
      names.length > 2 && names[at + 1] ? `${names[at + 1]}: ${value}` : value;
    const told = rest.map(named).filter((_, at) => rest[at] !== '');
    const shown = `- ${first}${told.length > 0 ? ` – ${told.join('; ')}` : ''}`;
    return { kind: 'item', text: row, shown };
  });
}

function cells(row: string): string[] {
  const inner = row.trim().replace(/^\||\|$/g, '');
  return inner.split(/(?<!\\)\|/).map(cell => cell.replaceAll('\\|', '|').trim());
}
