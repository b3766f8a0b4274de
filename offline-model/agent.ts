import { Desk, type Report, type Work } from './desk.ts';
import { fixLinks } from './edits/links.ts';
import { setFrontmatter } from './edits/frontmatter.ts';
import { addSection, appendText } from './edits/page-text.ts';
import { addPage } from './edits/pages.ts';
import { replaceText } from './edits/replace.ts';
import { FORMS, type Kind, readInstruction, type Request } from './forms.ts';
import { type AnswerBlock, type MessagesRequest, newId } from './protocol/messages-protocol.ts';
import { PLAN_TOOL } from '../shared/agent-text.ts';
import { Transcript } from './transcript.ts';
import { clip } from './wording.ts';

const EDITS: Record<Kind, (desk: Desk, values: Request['values'], report: Report) => Work<void>> = {
  replace: (...work) => replaceText('all', ...work),
  rename: (...work) => replaceText('prose', ...work),
  links: fixLinks,
  frontmatter: setFrontmatter,
  append: appendText,
  'add-page': addPage,
  'add-section': addSection,
};

const WHAT_I_CAN =
  'I am Docent’s built-in offline model: no language model is set up, and I carry out only ' +
  'instructions in these forms, word for word, one or several:\n\n' +
  `${FORMS.map(({ form }) => `- ${form}`).join('\n')}\n\n` +
  'PAGE is a file and PATH a file or folder, such as guides/install.md. [...] may be left out. ' +
  'For anything else, set ANTHROPIC_API_KEY and restart Docent: jobs then use a language model.';
const MADE_BY =
  'Made by Docent’s built-in offline model, which follows rules and does not judge what it ' +
  'writes: please read the diff.';
/** Only ends an endless loop: `finish` gives in sooner (JOB_MAX_MEND_ROUNDS). */
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
export function nextStep(request: MessagesRequest): AnswerBlock[] {
  const transcript = new Transcript(request);
  if (request.tools?.some(({ name }) => name === PLAN_TOOL)) return [planStep(transcript)];
  const work = workTurn(transcript);
  let state = work.next();
  while (!state.done) {
    const outcomes = transcript.take(state.value);
    if (!outcomes)
      return state.value.map(call => ({ type: 'tool_use', id: newId('toolu'), ...call }));
    state = work.next(outcomes);
  }
  return [{ type: 'text', text: state.value }];
}

/** Its plan is the instructions: it reads them word by word. */
function planStep(transcript: Transcript): AnswerBlock {
  const outcome: Outcome = { title: '', reports: [], unknown: [], refusal: '' };
  const changes: { path: string; change: string }[] = [];
  for (let text = transcript.nextInstruction(); text; text = transcript.nextInstruction()) {
    const requests = readInstruction(text);
    if (!requests) outcome.unknown.push(text);
    for (const { kind, values, text: change } of requests ?? [])
      changes.push({ path: pathOf(kind, values) ?? (transcript.docsFolder || '.'), change });
  }
  if (changes.length === 0) return { type: 'text', text: lastWords(outcome) };
  const summary = `I would carry out ${changes.length === 1 ? 'this instruction' : `these ${changes.length} instructions`}, word for word.`;
  return {
    type: 'tool_use',
    id: newId('toolu'),
    name: PLAN_TOOL,
    input: { summary, changes, questions: outcome.unknown.map(text => notKnown([text])) },
  };
}

/** Where a form names a page or a folder. */
function pathOf(kind: Kind, values: Request['values']): string | undefined {
  const at = {
    replace: 2,
    rename: 2,
    links: 0,
    frontmatter: 1,
    append: 1,
    'add-page': 0,
    'add-section': 1,
  };
  return values[at[kind]];
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
  return `${outcome.reports.flatMap(told).join(' ')} ${refused(outcome.refusal)}`;
}

/** All of an instruction or nothing: words outside the forms may limit the words inside them. */
function* carryOut(desk: Desk, text: string, outcome: Outcome): Work<void> {
  const requests = readInstruction(text);
  if (!requests) return void outcome.unknown.push(text);
  const first = requests[0]?.text ?? '';
  outcome.title ||= clip(first.charAt(0).toUpperCase() + first.slice(1), 70);
  for (const { kind, values } of requests) {
    const report: Report = { sentences: [], failures: [], changed: false };
    outcome.reports.push(report);
    yield* EDITS[kind](desk, values, report);
  }
}

function finishInput({ title, reports, unknown, refusal }: Outcome): Record<string, unknown> {
  const isDone = ({ failures }: Report) => failures.length === 0;
  const done = reports.filter(isDone).flatMap(({ sentences }) => sentences);
  const failed = reports.filter(report => !isDone(report)).flatMap(told);
  const rest = [
    ...(failed.length > 0 ? [`Not done, or only in part: ${failed.join(' ')}`] : []),
    ...(unknown.length > 0 ? [notKnown(unknown)] : []),
    ...(refusal !== '' ? [refused(refusal)] : []),
  ];
  const bullets = done.map(text => `- ${text.replaceAll('\n', '\n  ')}`).join('\n');
  const short = done.length <= 3 ? done : [`Carried out ${done.length} instructions.`];
  return {
    title,
    body: [bullets, ...rest, MADE_BY].filter(Boolean).join('\n\n'),
    message: [...short, ...rest].join(' '),
  };
}

function lastWords({ reports, unknown }: Outcome): string {
  const news = reports.flatMap(told).join(' ');
  if (unknown.length === 0) return `I changed nothing. ${news || 'There is nothing left to do.'}`;
  return `I changed nothing. ${news && `${news} `}${notKnown(unknown)}\n\n${WHAT_I_CAN}`;
}

function notKnown(unknown: string[]): string {
  const quoted = unknown.slice(0, 3).map(text => `“${clip(text)}”`);
  return `I did not understand ${quoted.join(', ')}, so I did not carry it out.`;
}

function refused(refusal: string): string {
  return `The checks found something that I cannot fix:\n\n${refusal}`;
}

/** If no edit went through, only the reasons: the other sentences would report changes. */
function told({ sentences, failures, changed }: Report): string[] {
  return failures.length > 0 && !changed ? failures : [...sentences, ...failures];
}
