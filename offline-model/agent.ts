import {
  docsFolder,
  type Instruction,
  readTurn,
  type ToolCall,
  type Turn,
} from './conversation.ts';
import { Desk, newReport, type Report, type Work } from './desk.ts';
import { mendLinks, useHttps } from './edits/links.ts';
import { bumpVersion, changeLimit } from './edits/numbers.ts';
import { addPage, deletePage, movePage } from './edits/page-files.ts';
import { addSection, addText, removeText, setFrontmatter } from './edits/page-text.ts';
import { replaceText } from './edits/replace.ts';
import { fixTypo } from './edits/typos.ts';
import { type Intent, readInstruction, type Scope } from './instruction.ts';
import type { MessagesRequest } from './messages-protocol.ts';

/** What the offline model says next: tool calls, or the last words of a turn. */
export type NextStep = { calls: ToolCall[]; text?: never } | { text: string; calls?: never };

const CAN =
  'rename or replace a text, fix a typo you name, change a title or other frontmatter, mend broken links, add a page, section or line with text you give, ' +
  'remove a text, move or delete a page, bump a version, change a limit, and turn http links into https';
const HOW_TO_GET_MORE =
  'For anything else, set ANTHROPIC_API_KEY and restart Docent: a language model then takes these jobs.';
/**
 * `finish` is accepted with what is still broken after a few refusals (JOB_MAX_MEND_ROUNDS); this
 * only ends an endless loop.
 */
const MAX_REFUSALS = 10;

/**
 * Decides the next step from the transcript alone: the work of the newest turn is run again from
 * its beginning against the recorded outcomes; the first call that has none is the next one.
 */
export function nextStep(request: MessagesRequest): NextStep {
  const turn = readTurn(request);
  const log = new Log(turn);
  const work = workTurn(log, docsFolder(request));
  let state = work.next();
  while (!state.done) {
    const outcomes = log.take(state.value);
    if (!outcomes) return { calls: state.value };
    state = work.next(outcomes);
  }
  return { text: state.value };
}

/** The recorded calls and the instructions, each visible only from where it came. */
class Log {
  readonly #turn: Turn;
  #calls = 0;
  #instructions = 0;

  constructor(turn: Turn) {
    this.#turn = turn;
  }

  get again(): boolean {
    return this.#turn.again;
  }

  /**
   * Outcomes of these calls, or undefined where they have not been made yet. Calls of another model
   * in between are passed over.
   */
  take(wanted: ToolCall[]): { text: string; isError: boolean }[] | undefined {
    const { calls } = this.#turn;
    for (let start = this.#calls; start + wanted.length <= calls.length; start++) {
      if (!wanted.every((call, index) => sameCall(call, calls[start + index]))) continue;
      this.#calls = start + wanted.length;
      return calls.slice(start, this.#calls).map(call => call.outcome);
    }
    return undefined;
  }

  /** The next instruction that was there before the next recorded call. */
  nextInstruction(): Instruction | undefined {
    const instruction = this.#turn.instructions[this.#instructions];
    const before = this.#turn.calls[this.#calls]?.position ?? Infinity;
    if (!instruction || instruction.position > before) return undefined;
    this.#instructions++;
    return instruction;
  }
}

function sameCall(one: ToolCall, other: ToolCall | undefined): boolean {
  return (
    one.name === other?.name &&
    JSON.stringify(sorted(one.input)) === JSON.stringify(sorted(other.input))
  );
}

/** The transcript is kept as jsonb, which forgets the order of members. */
function sorted(input: Record<string, unknown>): [string, unknown][] {
  return Object.entries(input).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Carries out the instructions in order and finishes; the value is the turn's last text. */
function* workTurn(log: Log, root: string): Work<string> {
  const desk = new Desk(root, log.again);
  const reports: Report[] = [];
  const unknown: string[] = [];
  const first = { title: '' };
  for (let refusals = 0; refusals < MAX_REFUSALS;) {
    for (
      let instruction = log.nextInstruction();
      instruction;
      instruction = log.nextInstruction()
    ) {
      first.title ||= titleOf(instruction.text);
      yield* carryOut(desk, instruction, reports, unknown);
    }
    yield* desk.flush();
    if (reports.every(report => !report.changed)) return lastWords(reports, unknown);
    const finish = yield* desk.call('finish', finishInput(first.title, reports, unknown));
    if (!finish.isError) return 'Done.';
    refusals++;
    if (/\b(?:link|navigation)\b/.test(finish.text)) {
      const report = newReport();
      yield* mendLinks(
        desk,
        { kind: 'all' },
        report,
        [...finish.text.matchAll(/(?:error|warning): (\S+?)(?::\d+)? link/g)].map(
          match => match[1] ?? '',
        ),
      );
      yield* desk.flush();
      if (report.changed) reports.push(report);
    }
  }
  return `${reports.flatMap(told).join(' ')} The checks still find something that I cannot mend.`;
}

function* carryOut(
  desk: Desk,
  instruction: Instruction,
  reports: Report[],
  unknown: string[],
): Work<void> {
  const requests = readInstruction(instruction.text);
  for (const { text, intent, limit: other, doubt } of requests) {
    if (!intent) {
      unknown.push(text);
      continue;
    }
    const report = newReport();
    reports.push(report);
    const limit = 'scope' in intent ? limitNotKept(intent) : other;
    const why =
      doubt ??
      (limit === undefined
        ? undefined
        : `I cannot keep to “${clip(limit)}”. I can keep to pages, folders, sections, headings, prose and code.`);
    if (why === undefined) yield* perform(desk, intent, report);
    else report.failures.push(`I left “${clip(text)}” alone: ${why}`);
    const tooLong = desk.takeTooLong();
    if (tooLong.length > 0)
      report.failures.push(
        `I left out ${tooLong.slice(0, 10).join(', ')}: a line there is too long for me to read. Break it up and ask again, or change it yourself.`,
      );
  }
}

/** Half of what was asked is more than was asked. */
function limitNotKept({ kind, scope }: Extract<Intent, { scope: Scope }>): string | undefined {
  const ofWholeLines = kind === 'https' || kind === 'links';
  return (
    scope.unclear ??
    (ofWholeLines && (scope.kind === 'code' || scope.kind === 'prose') ? scope.kind : undefined)
  );
}

function perform(desk: Desk, intent: Intent, report: Report): Work<void> {
  switch (intent.kind) {
    case 'replace':
      return replaceText(desk, intent, report);
    case 'https':
      return useHttps(desk, intent.scope, report);
    case 'typo':
      return fixTypo(desk, intent, report);
    case 'links':
      return mendLinks(desk, intent.scope, report);
    case 'limit':
      return changeLimit(desk, intent, report);
    case 'bump':
      return bumpVersion(desk, intent, report);
    case 'frontmatter':
      return setFrontmatter(desk, intent, report);
    case 'add-page':
      return addPage(desk, intent, report);
    case 'add-section':
      return addSection(desk, intent, report);
    case 'add-text':
      return addText(desk, intent, report);
    case 'remove-text':
      return removeText(desk, intent, report);
    case 'delete-page':
      return deletePage(desk, intent, report);
    case 'move-page':
      return movePage(desk, intent, report);
  }
}

function finishInput(title: string, reports: Report[], unknown: string[]): Record<string, unknown> {
  const done = reports
    .filter(report => report.failures.length === 0)
    .flatMap(report => report.sentences);
  const failed = reports.filter(report => report.failures.length > 0).flatMap(told);
  const bullets = (texts: string[]) =>
    texts.map(text => `- ${text.replaceAll('\n', '\n  ')}`).join('\n');
  const parts = done.length > 0 ? [bullets(done)] : [];
  if (failed.length > 0) parts.push(`Not done, or only in part:\n${bullets(failed)}`);
  if (unknown.length > 0)
    parts.push(`Not understood, so left alone:\n${bullets(unknown.map(text => clip(text)))}`);
  parts.push(
    'Made by Docent’s built-in offline model, which follows rules and does not judge what it writes: please read the diff.',
  );
  const message = [
    done.length <= 3 ? done.join(' ') : `Carried out ${done.length} instructions.`,
    failed.length > 0 ? `Something could not be done: ${failed.at(-1)}` : '',
    unknown.length > 0
      ? `I did not understand: ${unknown.map(text => clip(text)).join('; ')}.`
      : '',
  ];
  return { title, body: parts.join('\n\n'), message: message.filter(Boolean).join(' ') };
}

function lastWords(reports: Report[], unknown: string[]): string {
  const news = reports.flatMap(told);
  if (unknown.length === 0)
    return `I changed nothing. ${news.length > 0 ? news.join(' ') : 'There is nothing left to do.'}`;
  const about = `I did not understand ${unknown
    .slice(0, 3)
    .map(text => `“${clip(text)}”`)
    .join(', ')}. `;
  return `${news.join(' ')} ${about}I am Docent’s built-in offline model: no language model is set up, and I carry out mechanical instructions only. I can ${CAN}. ${HOW_TO_GET_MORE}`.trim();
}

/**
 * What there is to say of a piece of work: where no edit went through, only why; its sentences tell
 * of what was to be.
 */
function told({ sentences, failures, changed }: Report): string[] {
  return failures.length > 0 && !changed ? failures : [...sentences, ...failures];
}

function titleOf(instruction: string): string {
  const [line = ''] = instruction.trim().split('\n');
  const text = line
    .replace(/^(?:please|can you|could you)\s+/i, '')
    .replace(/\s+(?:with|containing|saying)\s+(?:the\s+)?(?:text|content|body)\b.*$/i, '')
    .replace(/^((?:add|create|append|insert|write)\b[^:"“`]{3,60}):\s.*$/i, '$1')
    .replace(/[.:\s]+$/, '');
  return clip(text.charAt(0).toUpperCase() + text.slice(1), 70) || 'Update the docs';
}

function clip(text: string, length = 120): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}
