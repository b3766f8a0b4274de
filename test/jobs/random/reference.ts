import type { Conversation } from '../../../shared/jobs/conversation.ts';
import { carriedOut } from './model.ts';
import type { Instruction, Played } from './played.ts';

type Told<T extends string> = Extract<Conversation['messages'][number], { type: T }>;
export interface PullRequest {
  number: number;
  link: string;
  state: 'open' | 'merged' | 'closed';
  pages: Set<string>;
}
export interface Call {
  id: string | null;
  outcome: string;
  input: number;
  output: number;
}

/** What was done to a job, and all that can be seen of it afterwards. */
export interface Seen extends Played {
  prLink: string | null;
  conversation: Conversation;
  /** Oldest first; `pages` of its branch. */
  pulls: PullRequest[];
  base: Set<string>;
  /**
   * Commits of people that are in neither their branch nor the base, and lines of theirs that are
   * gone.
   */
  lost: string[];
  ledger: Call[];
  requests: Call[];
}

/** What must hold, whatever was done to a job. Returns a sentence for each thing that does not. */
export function broken(seen: Seen): string[] {
  return [
    ...instructions(seen),
    ...pages(seen),
    ...pullRequests(seen),
    ...states(seen),
    ...ledger(seen),
    ...seen.lost,
  ];
}

const told = <T extends string>(seen: Seen, type: T) =>
  seen.conversation.messages.filter((item): item is Told<T> => item.type === type);
const entryOf = (seen: Seen, { page }: Instruction) =>
  told(seen, 'instruction').filter(({ text }) => text.endsWith(` ${page}`));
const answersTo = (seen: Seen, { page }: Instruction) =>
  told(seen, 'text').filter(({ text }) => carriedOut(text, page)).length;
const outcomeOf = (seen: Seen, turn: number | null) =>
  told(seen, 'outcome').find(outcome => outcome.turn === turn);

/** Every accepted instruction is carried out once, in order, or was undone by somebody. */
function* instructions(seen: Seen): Generator<string> {
  for (const sent of seen.instructions) {
    const [entry, ...more] = entryOf(seen, sent);
    if (!entry) {
      yield `${sent.page} is lost`;
      continue;
    }
    if (more.length > 0) yield `${sent.page} is listed twice`;
    const undone = seen.undoings.some(({ at, pending }) => at > sent.at || pending);
    const answers = answersTo(seen, sent);
    if (entry.state === 'waiting') yield `${sent.page} still waits`;
    if (entry.state === 'dropped' && !undone)
      yield `${sent.page} was dropped, and nobody asked for it`;
    if (answers > (entry.state === 'taken' ? 1 : 0))
      yield `${sent.page} is ${entry.state}, and carried out ${answers} times`;
    const outcome = outcomeOf(seen, entry.turn);
    if (entry.state === 'taken' && outcome?.status === 'completed' && answers === 0)
      yield `${sent.page} was taken, and never carried out`;
    if (entry.state === 'taken' && !outcome) yield `the turn of ${sent.page} has no outcome`;
    if (outcome?.status === 'failed' && !/^Cancelled/.test(outcome.text))
      yield `turn ${outcome.turn} failed: ${outcome.text}`;
    if (outcome?.status === 'failed' && seen.undoings.every(({ what }) => what !== 'cancel'))
      yield `turn ${outcome.turn} was cancelled by nobody`;
  }
  const taken = told(seen, 'instruction')
    .filter(({ state }) => state === 'taken')
    .map(({ text }) => seen.instructions.findIndex(({ page }) => text.endsWith(` ${page}`)));
  if (taken.some((sent, i) => sent < (taken[i - 1] ?? 0)))
    yield `read in the order ${taken.join(', ')}`;
}

/**
 * What a completed turn wrote is where its pull request is. What was undone or cancelled is in no
 * open one, once a later turn has been completed; but what a turn had published before it was taken
 * back to a later step stays.
 */
function* pages(seen: Seen): Generator<string> {
  const last = told(seen, 'outcome').at(-1)?.status;
  const open = last === 'completed' ? seen.pulls.find(({ state }) => state === 'open') : undefined;
  for (const sent of seen.instructions.filter(({ kind }) => kind === 'write')) {
    const [entry] = entryOf(seen, sent);
    const outcome = entry?.state === 'taken' ? outcomeOf(seen, entry.turn) : undefined;
    if (outcome?.status === 'completed') {
      const home = seen.pulls.find(({ link }) => link === outcome.prLink);
      if (!home) yield `${sent.page} was completed without a pull request`;
      if (home?.state === 'merged' && !seen.base.has(sent.page))
        yield `${sent.page} is not in the base, though #${home.number} was merged`;
      if (home?.state === 'open' && !home.pages.has(sent.page))
        yield `${sent.page} is not in #${home.number}`;
    } else if (
      open?.pages.has(sent.page) &&
      !seen.base.has(sent.page) &&
      !seen.commits.some(({ path }) => path.endsWith(`/${sent.page}.md`))
    ) {
      if (answersTo(seen, sent) === 0 || seen.undoings.every(({ what }) => what === 'cancel'))
        yield `${sent.page} is in #${open.number}, though it was ${entry?.state === 'taken' ? outcome?.text : 'dropped'}`;
    }
  }
}

function* pullRequests({ pulls, prLink }: Seen): Generator<string> {
  const open = pulls.filter(({ state }) => state === 'open');
  if (open.length > 1) yield `${open.length} pull requests are open`;
  if (prLink !== (pulls.at(-1)?.link ?? null))
    yield `prLink is ${prLink}, the newest pull request ${pulls.at(-1)?.link}`;
}

/**
 * A resting job changes only where something may have woken it; `prLink` shows at rest; archived is
 * for good.
 */
function* states({ watched, archived, afterArchive }: Seen): Generator<string> {
  for (const [i, { body, answered }] of watched.entries()) {
    const before = watched[i - 1];
    if (body.status === 'active' && body.prLink !== null)
      yield 'prLink is shown while the job is active';
    if (
      before &&
      before.body.status !== 'active' &&
      body.status !== before.body.status &&
      answered === before.asked
    )
      yield `${before.body.status} became ${body.status} by itself`;
    if (before?.body.archivedAt && JSON.stringify(body) !== JSON.stringify(before.body))
      yield 'an archived job changed';
  }
  if (watched.at(-1)?.body.status === 'active') yield 'the job is not at rest';
  if (archived && afterArchive.join() !== '409,409')
    yield `an archived job answered a message and a rewind with ${afterArchive.join(', ')}`;
  if (archived !== (watched.at(-1)?.body.archivedAt != null))
    yield 'archivedAt is not what the archive call said';
}

/**
 * Every request that reached the model has a row, with the same tokens where its answer came; a row
 * without a request was cut before it left.
 */
function* ledger(seen: Seen): Generator<string> {
  const sum = (calls: Call[], what: 'input' | 'output') =>
    calls.reduce((total, call) => total + call[what], 0);
  if (seen.ledger.length < seen.requests.length)
    yield `${seen.requests.length} requests, ${seen.ledger.length} in the ledger`;
  for (const row of seen.ledger.filter(({ outcome }) => outcome === 'ok')) {
    const request = seen.requests.find(({ id }) => id === row.id);
    if (request?.input !== row.input || request.output !== row.output)
      yield `call ${row.id}: ${row.input}/${row.output} tokens in the ledger, ${request?.input}/${request?.output} at the model`;
  }
  const unpaired = seen.requests.filter(
    ({ id, outcome }) => outcome === 'answered' && !seen.ledger.some(row => row.id === id),
  ).length;
  const cut = seen.ledger.filter(
    ({ outcome }) => outcome === 'started' || outcome === 'cancelled',
  ).length;
  if (unpaired > cut)
    yield `${unpaired} answers without a row, and only ${cut} rows of calls that were cut`;
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = seen.conversation.usage;
  const input = inputTokens + cacheReadTokens + cacheWriteTokens;
  if (sum(seen.ledger, 'input') !== input || sum(seen.ledger, 'output') !== outputTokens)
    yield `the job says ${input}/${outputTokens} tokens, its ledger ${sum(seen.ledger, 'input')}/${sum(seen.ledger, 'output')}`;
}
