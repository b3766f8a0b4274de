import { isSmallTalk } from '../shared/small-talk.ts';
import { type AnswerBlock, blocksOf, type MessagesRequest, type RequestBlock } from './messages-protocol.ts';
import { textOf } from './conversation.ts';
import { isVague, judge, type Passage, tokens } from './relevance.ts';

/** Sentences, list items and code that one answer quotes from one passage. */
const MAX_UNITS = 4;
const MAX_CHARACTERS = 900;
/** Lines that lead to the one that is looked for, in code that is too long to be quoted whole. */
const CODE_BEFORE = 2;

/** Characters that are read of a question: more is a pasted log, not a question. */
const LONGEST_QUESTION = 2_000;

const NOT_COVERED = 'The documentation does not cover that, as far as I can find: none of the pages that match holds an answer.';

/**
 * Answers from the search results of a request, in the pages' own words: the parts that hold most of the
 * question, each block with its citation. Cites nothing where the results do not hold the answer.
 */
export function answerQuestion(request: MessagesRequest): AnswerBlock[] {
  const { last, question, passages } = readRequest(request);
  if (isSmallTalk(last)) {
    return [{ type: 'text', text: 'Hello! Ask me something, and I will look it up in this documentation.' }];
  }
  if (isVague(question)) return [{ type: 'text', text: 'I look up words in this documentation, and that question has none that I could look for. Name what it is about, and I will try again.' }];
  const { answered, passages: best, weights } = judge(question, passages);
  if (!answered) return [{ type: 'text', text: NOT_COVERED }];
  const blocks: AnswerBlock[] = [];
  for (const { passage } of best) {
    const { cited, shown } = excerpt(passage.text, weights);
    if (cited === '' || blocks.some((block) => block.type === 'text' && block.text === shown)) continue;
    blocks.push({ type: 'text', text: `${blocks.length > 0 ? '\n\n' : ''}From “${passage.title}”:\n\n` }, {
      type: 'text', text: shown,
      citations: [{
        type: 'search_result_location', cited_text: cited, search_result_index: passage.result,
        start_block_index: passage.block, end_block_index: passage.block + 1, source: passage.source, title: passage.title,
      }],
    });
  }
  return blocks.length > 0 ? blocks : [{ type: 'text', text: NOT_COVERED }];
}

/** The last question, the same in the light of the one before where it leans on it, and every passage that the request holds. */
function readRequest(request: MessagesRequest): { last: string; question: string; passages: Passage[] } {
  const passages: Passage[] = [];
  const questions: string[] = [];
  let results = 0;
  const collect = (blocks: RequestBlock[]) => {
    for (const block of blocks) {
      if (block.type === 'tool_result' && Array.isArray(block.content)) collect(block.content);
      if (block.type !== 'search_result') continue;
      const result = results++;
      for (const [index, part] of blocksOf(block.content).entries()) {
        const text = (part.text ?? '').replace(/^## .*\n\n/, ''); // a heading tells what is there; it holds no answer
        passages.push({ title: block.title ?? '', text, result, block: index, source: typeof block.source === 'string' ? block.source : '' });
      }
    }
  };
  for (const message of request.messages) {
    const blocks = blocksOf(message.content);
    collect(blocks);
    const text = textOf(blocks.filter((block) => !block.text?.startsWith('<reader-context>'))).trim();
    if (message.role === 'user' && text) questions.push(text);
  }
  const last = (questions.at(-1) ?? '').slice(0, LONGEST_QUESTION);
  const leans = tokens(last).length < 2 || (/\b(?:it|that|this|those|them|one)\b|^\W*(?:and|but|what about|how about)\b/i.test(last) && tokens(last).length < 4);
  return { last, question: leans && questions.length > 1 ? `${questions.at(-2)?.slice(0, LONGEST_QUESTION)} ${last}` : last, passages };
}

interface Unit {
  /** As it stands in the passage. */
  text: string;
  /** As a reader sees it. */
  shown: string;
}

interface Excerpt {
  cited: string;
  shown: string;
}

/** The parts of a passage that hold the question's words, in the page's order; code keeps the line that leads to it. */
function excerpt(text: string, weights: Map<string, number>): Excerpt {
  const units = splitUnits(text).map((unit) => shorten(unit, weights));
  const ranked = units.map((unit, index) => ({ ...unit, index, score: scoreUnit(unit.shown, weights) })).sort((a, b) => b.score - a.score || a.index - b.index);
  const chosen = new Set<number>();
  let size = 0;
  for (const { index, text: part, score } of ranked) {
    if (chosen.size >= MAX_UNITS || (chosen.size > 0 && (score === 0 || size + part.length > MAX_CHARACTERS))) break;
    chosen.add(index);
    size += part.length;
    // What leads in ("Run it with:") says nothing without the code or list that follows.
    if (/:\s*$/.test(part) && units[index + 1]) chosen.add(index + 1);
  }
  const inOrder = [...chosen].sort((a, b) => a - b).flatMap((index) => units[index] ?? []);
  const joined = (parts: string[]) => parts.join('\n\n').replace(/\n\n(?=[-*] |\d+\. |\|)/g, '\n');
  return { cited: joined(inOrder.map((unit) => unit.text)), shown: joined(inOrder.map((unit) => unit.shown)) };
}

function scoreUnit(text: string, weights: Map<string, number>): number {
  const words = new Set(tokens(text));
  let score = 0;
  for (const [word, weight] of weights) if (words.has(word)) score += weight;
  return score;
}

/** A unit within `MAX_CHARACTERS`: of code, from shortly before the line that holds most of the question; of text, its beginning. */
function shorten(unit: Unit, weights: Map<string, number>): Unit {
  if (unit.text.length <= MAX_CHARACTERS) return unit;
  const [fence = '', ...lines] = unit.text.split('\n');
  if (!/^ *```/.test(fence)) return { text: beginning(unit.text, ' '), shown: `${beginning(unit.shown, ' ')} …` };
  const end = lines.pop() ?? '';
  const scores = lines.map((line) => scoreUnit(line, weights));
  const best = scores.indexOf(Math.max(...scores));
  const part = beginning(lines.slice(Math.max(0, best - CODE_BEFORE)).join('\n'), '\n');
  return { text: part, shown: [fence, part, end].join('\n') };
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
  const asIs = (parts: string[]) => units.push(...parts.map((part) => ({ text: part, shown: part })));
  for (const part of text.split(/(^ *```[\s\S]*?^ *```[^\S\n]*$)/m)) {
    if (/^ *```/.test(part)) {
      asIs([part]);
      continue;
    }
    for (const paragraph of part.split(/\n\s*\n/)) {
      const plain = paragraph.trim();
      if (plain === '' || /^#{1,6}\s/.test(plain)) continue;
      if (plain.startsWith('|')) units.push(...tableRows(plain));
      else if (/^(?:[-*+]|\d+[.)])\s/m.test(plain)) asIs(plain.split(/\n(?=(?:[-*+]|\d+[.)])\s)/).map((item) => item.trim()));
      else asIs(plain.split(/(?<=[.!?])\s+(?=[A-Z`“"])/).map((sentence) => sentence.replace(/\s*\n\s*/g, ' ')));
    }
  }
  return units;
}

/** Each row of a table as a list item that says what its columns mean: "- `PORT`: Default: 3000; Meaning: …". */
function tableRows(table: string): Unit[] {
  const [head = '', ...rows] = table.split('\n').filter((line) => line.trim().startsWith('|') && !/^[\s|:-]+$/.test(line));
  const names = cells(head);
  return rows.map((row) => {
    const [first = '', ...rest] = cells(row);
    const told = rest.flatMap((value, index) => (value === '' ? [] : [names.length > 2 && names[index + 1] ? `${names[index + 1]}: ${value}` : value]));
    return { text: row, shown: `- ${first}${told.length > 0 ? ` – ${told.join('; ')}` : ''}` };
  });
}

function cells(row: string): string[] {
  return row.trim().replace(/^\||\|$/g, '').split(/(?<!\\)\|/).map((cell) => cell.replaceAll('\\|', '|').trim());
}
