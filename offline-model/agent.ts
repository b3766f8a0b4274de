import { Desk, type Report, type Work } from './desk.ts';
import { fixLinks } from './edits/links.ts';
import { setFrontmatter } from './edits/frontmatter.ts';
import { addSection, appendText } from './edits/page-text.ts';
import { addPage } from './edits/pages.ts';
import { renameTerm, replaceText } from './edits/replace.ts';
import { FORMS, type Kind, readInstruction, type Request } from './forms.ts';
import type { MessagesRequest } from './protocol/messages-protocol.ts';
import { type ToolCall, Transcript } from './transcript.ts';
import { clip } from './wording.ts';

/** What the offline model says next: tool calls, or the last words of a turn. */
export type NextStep = { calls: ToolCall[]; text?: never } | { text: string; calls?: never };

const EDITS: Record<Kind, (desk: Desk, values: Request['values'], report: Report) => Work<void>> = {
  replace: replaceText,
  rename: renameTerm,
  links: fixLinks,
  frontmatter: setFrontmatter,
  append: appendText,
  'add-page': addPage,
  'add-section': addSection,
};

const WHO_I_AM =
  'I am Docent’s built-in offline model: no language model is set up, and I carry out only ' +
  'instructions in these forms, word for word, one or several:';
const HOW_TO_GET_MORE =
  'For anything else, set ANTHROPIC_API_KEY and restart Docent: jobs then use a language model.';
/**
 * `finish` is accepted with what is still broken after a few refusals (JOB_MAX_MEND_ROUNDS); this
 * only ends an endless loop.
 */
const MAX_REFUSALS = 10;

/** What a turn has come to. */
interface Outcome {
  title: string;
  reports: Report[];
  /** Instructions in none of the forms. */
  unknown: string[];
  /** What the checks refused last. */
  refusal: string;
}

/**
 * Decides the next step from the transcript alone: the work of the newest turn is run again from
 * its beginning against the recorded outcomes; the first call that has none is the next one.
 */
export function nextStep(request: MessagesRequest): NextStep {
  const transcript = new Transcript(request);
  const work = workTurn(transcript);
  let state = work.next();
  while (!state.done) {
    const outcomes = transcript.take(state.value);
    if (!outcomes) return { calls: state.value };
    state = work.next(outcomes);
  }
  return { text: state.value };
}

/** Carries out the instructions in order and finishes; the value is the turn's last text. */
function* workTurn(transcript: Transcript): Work<string> {
  const desk = new Desk(transcript);
  const outcome: Outcome = { title: '', reports: [], unknown: [], refusal: '' };
  for (let refusals = 0; refusals < MAX_REFUSALS; refusals++) {
    for (let text = transcript.nextInstruction(); text; text = transcript.nextInstruction())
      yield* carryOut(desk, text, outcome);
    yield* desk.flush();
    if (outcome.reports.every(({ changed }) => !changed)) return lastWords(outcome);
    const finish = yield* desk.call('finish', finishInput(outcome));
    if (!finish.isError) return 'Done.';
    outcome.refusal = finish.text;
  }
  return `${outcome.reports.flatMap(told).join(' ')} ${refused(outcome)}`;
}

/** All of an instruction or nothing: words outside the forms may limit the words inside them. */
function* carryOut(desk: Desk, text: string, outcome: Outcome): Work<void> {
  const requests = readInstruction(text);
  if (!requests) return void outcome.unknown.push(text);
  outcome.title ||= clip(sentence(requests[0]?.text ?? ''), 70);
  for (const { kind, values } of requests) {
    const report: Report = { sentences: [], failures: [], changed: false };
    outcome.reports.push(report);
    yield* EDITS[kind](desk, values, report);
  }
}

function finishInput(outcome: Outcome): Record<string, unknown> {
  const { title, reports, unknown, refusal } = outcome;
  const done = reports
    .filter(({ failures }) => failures.length === 0)
    .flatMap(({ sentences }) => sentences);
  const failed = reports.filter(({ failures }) => failures.length > 0).flatMap(told);
  const body = [
    bullets(done),
    failed.length > 0 && `Not done, or only in part:\n${bullets(failed)}`,
    unknown.length > 0 &&
      `Not in a form that I know, so not carried out:\n${bullets(unknown.map(text => clip(text)))}`,
    refusal !== '' && refused(outcome),
    'Made by Docent’s built-in offline model, which follows rules and does not judge what it ' +
      'writes: please read the diff.',
  ];
  const message = [
    done.length <= 3 ? done.join(' ') : `Carried out ${done.length} instructions.`,
    failed.length > 0 && `Not done, or only in part: ${failed.join(' ')}`,
    unknown.length > 0 && notKnown(unknown),
    refusal !== '' && refused(outcome),
  ];
  return {
    title,
    body: body.filter(Boolean).join('\n\n'),
    message: message.filter(Boolean).join(' '),
  };
}

function lastWords({ reports, unknown }: Outcome): string {
  const news = reports.flatMap(told).join(' ');
  if (unknown.length === 0) return `I changed nothing. ${news || 'There is nothing left to do.'}`;
  const forms = FORMS.map(({ form }) => `- ${form}`).join('\n');
  return [
    `I changed nothing.${news && ` ${news}`} ${notKnown(unknown)}`,
    `${WHO_I_AM}\n\n${forms}`,
    'PAGE is a file and PATH a file or folder, such as guides/install.md. [...] may be left out. ' +
      HOW_TO_GET_MORE,
  ].join('\n\n');
}

function notKnown(unknown: string[]): string {
  const quoted = unknown.slice(0, 3).map(text => `“${clip(text)}”`);
  return `I did not understand ${quoted.join(', ')}, so I did not carry it out.`;
}

function refused({ refusal }: Outcome): string {
  return `The checks found something that I cannot fix:\n\n${refusal}`;
}

/** If no edit went through, only the reasons: the other sentences would report changes. */
function told({ sentences, failures, changed }: Report): string[] {
  return failures.length > 0 && !changed ? failures : [...sentences, ...failures];
}

function bullets(texts: string[]): string {
  return texts.map(text => `- ${text.replaceAll('\n', '\n  ')}`).join('\n');
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
