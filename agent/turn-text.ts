import { refusedConstructs } from '../db/jobs/refused-constructs.ts';
import type { EntryMeta, TranscriptEntry } from '../db/jobs/transcript.ts';
import type { PolicyRule } from './policy/violation.ts';
import { planText } from '../shared/jobs/waiting.ts';
import { hasWrittenCall, withoutInnerText } from '../shared/text/inner-text.ts';

const NOTHING_SAID = 'Nothing was changed.';
const MOST_REFUSALS = 5;
const WRITTEN_CALLS =
  'The model wrote its calls as text, and text runs nothing. The chat template of its server may ' +
  'not know tools: run docent doctor.';

/** What came of a turn that published nothing: what the policy refused, and the agent's last words. */
export function unpublishedText(transcript: TranscriptEntry[], turn: number): string {
  const words = lastWords(transcript, turn);
  const refused = transcript
    .filter(entry => entry.turn === turn)
    .flatMap(entry => entry.meta.refused ?? [])
    .map(({ path, rule }) => `${path} (${rule})`);
  if (refused.length === 0) return words;
  const list = few([...new Set(refused)]);
  const sentence = `Nothing was changed: the policy refused the edits. ${list}.`;
  return words === NOTHING_SAID ? sentence : `${sentence}\n\n${words}`;
}

/** Rules that no other wording of an edit satisfies. */
const OF_WHOLE_FILES: ReadonlySet<string> = new Set<PolicyRule>([
  'unsafe-path',
  'outside-docs',
  'protected-path',
  'instruction-file',
  'link',
  'submodule',
  'file-type',
]);

/** What the policy refused in a turn and is in none of its edits, each once: for a reviewer. */
export function leftOut(transcript: readonly TranscriptEntry[], turn: number): string[] {
  const constructs = refusedConstructs(transcript, turn).map(
    ({ path, form }) => `${path}: ${form}`,
  );
  const files = transcript
    .filter(entry => entry.turn === turn)
    .flatMap(entry => entry.meta.refused ?? [])
    .filter(({ rule }) => OF_WHOLE_FILES.has(rule))
    .map(({ path, rule }) => `${path} (${rule})`);
  return [...new Set([...constructs, ...files])];
}

/** What the agent had to say at the end of a turn that published, and what is missing in it. */
export function publishedText(transcript: TranscriptEntry[], turn: number): string {
  const words = lastWords(transcript, turn);
  const missing = leftOut(transcript, turn);
  return missing.length === 0 ? words : `${words}\n\nLeft out by the policy: ${few(missing)}.`;
}

/** The first of them, and how many more there are. */
function few(all: readonly string[]): string {
  const more = all.length - MOST_REFUSALS;
  return all.slice(0, MOST_REFUSALS).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/**
 * What the agent had to say at the end of a turn: the message of `finish`, else the question of `ask`,
 * else the last text of the model.
 */
export function lastWords(transcript: TranscriptEntry[], turn: number): string {
  const ofTurn = transcript.filter(entry => entry.turn === turn);
  const { finish, ask, plan } =
    ofTurn.findLast(({ meta }) => meta.finish ?? meta.ask ?? meta.plan)?.meta ?? {};
  if (finish) return finish.message;
  if (ask) return askedText(ask);
  if (plan) return planText(plan);
  const texts = ofTurn.filter(entry => entry.kind === 'assistant').map(entryText);
  const said = texts.map(withoutInnerText).findLast(text => text !== '') ?? '';
  const last = texts.findLast(text => text !== '') ?? '';
  if (hasWrittenCall(last)) return `${said}\n\n${WRITTEN_CALLS}`.trim();
  return said || NOTHING_SAID;
}

function askedText({ question, options = [] }: NonNullable<EntryMeta['ask']>): string {
  return [question, options.map(option => `- ${option}`).join('\n')].join('\n\n').trim();
}

/** The text blocks of an entry, joined. */
export function entryText(entry: Pick<TranscriptEntry, 'content'>): string {
  return entry.content
    .flatMap(block => (block.type === 'text' ? [block.text] : []))
    .join('\n')
    .trim();
}

const MAX_TITLE = 72;

/**
 * Title and body of the commit and pull request: those of `finish`, else made from the instruction
 * and the last text.
 */
export function publicationText(
  transcript: TranscriptEntry[],
  turn: number,
): { title: string; body: string } {
  const ofTurn = transcript.filter(entry => entry.turn === turn);
  const finish = ofTurn.findLast(entry => entry.meta.finish)?.meta.finish;
  if (finish) return { title: finish.title, body: finish.body };
  const instruction = ofTurn.find(
    ({ kind, meta }) => kind === 'user' && meta.messageId !== undefined && !meta.answer,
  );
  const [firstLine = 'Update the docs'] = (instruction ? entryText(instruction) : '').split('\n');
  return { title: cutTitle(firstLine) || 'Update the docs', body: lastWords(transcript, turn) };
}

/** Between words, as far as a line of a list of commits reaches. */
function cutTitle(line: string): string {
  if (line.length <= MAX_TITLE) return line.trim();
  const cut = line.slice(0, MAX_TITLE).replace(/[\ud800-\udbff]$/, '');
  return `${/\s/.test(cut.trim()) ? cut.replace(/\s+\S*$/, '') : cut}…`;
}
