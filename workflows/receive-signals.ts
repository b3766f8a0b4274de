import { oneUnitEach } from '../shared/text/characters.ts';
import { type DurableState, MAX_PROMPT } from '../shared/jobs/job.ts';
import { type Answer, ANSWER_WORDS } from '../shared/jobs/waiting.ts';
import { enqueueLast } from './follow-up-queue.ts';
import type { JobState } from './job-state.ts';

const MAX_MESSAGE_ID = 255;
const MAX_BUDGET_USD = 1_000_000;
const OF_DECISIONS = /^sig_(?:approve|decline|budget)_/;

type Received = Pick<DurableState, 'seen' | 'unnamed' | 'inbox'>;

/**
 * Handles the input of `message`, whatever it is: scripts send anything, and a handler that throws
 * would block the job permanently. Returns why it is not taken, or null.
 */
export function receiveMessage(received: Received, raw: unknown, maxQueue: number): string | null {
  if (!isMembers(raw)) return `the input must be {"prompt": "…"}`;
  const { prompt, messageId, stored } = raw;
  if (
    messageId !== undefined &&
    messageId !== null &&
    (typeof messageId !== 'string' || !messageId || oneUnitEach(messageId).length > MAX_MESSAGE_ID)
  ) {
    return `messageId must be 1 to ${MAX_MESSAGE_ID} characters`;
  }
  // A decision with this id would count as one that came again.
  if (stored !== true && typeof messageId === 'string' && OF_DECISIONS.test(messageId))
    return `messageId begins like one that Docent gives`;
  // Postgres cannot store it: the activity would fail forever.
  if (`${String(messageId)}${String(prompt)}`.includes('\0'))
    return `contains the character U+0000`;
  // To Postgres any two such ids are the same.
  if (typeof messageId === 'string' && /\p{Cs}/u.test(messageId))
    return `messageId contains an unpaired surrogate`;
  const id = typeof messageId === 'string' ? messageId : nextId(received, String(prompt));
  if (received.seen.includes(id)) return null; // sent again
  if (stored !== true) {
    if (typeof prompt !== 'string' || !prompt.trim())
      return `prompt must be 1 to ${MAX_PROMPT} characters`;
    if (oneUnitEach(prompt).length > MAX_PROMPT)
      return `prompt is longer than ${MAX_PROMPT} characters`;
    if (received.inbox.length >= maxQueue) return `${maxQueue} instructions are already waiting`;
  }
  enqueueLast(
    received,
    stored === true ? { messageId: id } : { messageId: id, prompt: prompt as string },
  );
  return null;
}

/** An update's id is its message's, too: sent again in another run of the job, it has one effect. */
export function withUpdateId(raw: unknown, updateId: string | null | undefined): unknown {
  return isMembers(raw) && updateId ? { ...raw, messageId: raw['messageId'] ?? updateId } : raw;
}

/**
 * The id of an instruction whose sender gave it none. A reset of the workflow delivers later
 * signals again: by count and text they are the same ones as before, so that none is listed twice;
 * after a rewind, another text gets another id.
 */
function nextId(received: Received, prompt: string): string {
  received.unnamed += 1;
  return `sig_${received.unnamed}_${fingerprint(prompt)}`;
}

/**
 * FNV-1a, 64 bits, in two halves: the sandbox of workflows has no crypto, and with BigInt a hundred
 * of the longest instructions took longer than a workflow task may.
 */
function fingerprint(text: string): string {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  for (let i = 0; i < text.length; i++) {
    const mixed = (low ^ text.charCodeAt(i)) >>> 0;
    // Times the prime 2^40 + 0x1b3; each product is below 2^53.
    const product = mixed * 0x1b3;
    high = (high * 0x1b3 + Math.floor(product / 2 ** 32) + mixed * 2 ** 8) >>> 0;
    low = product >>> 0;
  }
  return ((BigInt(high) << 32n) | BigInt(low)).toString(36);
}

/**
 * Handles the input of `approve` and `decline`. The first word to a plan counts, and a follow-up that
 * came before is one.
 */
export function receiveDecision(
  { durable, endsWaitingFor, reading }: JobState,
  raw: unknown,
  verb: 'approve' | 'decline',
): string | null {
  // Something else may be meant to name a turn, which would then not count.
  const isReadable = raw === undefined || raw === null || isMembers(raw);
  if (!isReadable) return `the input must be none or {"turn": …}`;
  const { waitingFor, status, inbox, turn, at } = durable;
  // Its sender may have read the row, which is a moment ahead of the workflow. It waits, too, while
  // what is read may let it rest again, such as a budget: then that turn has not begun yet.
  const waits = endsWaitingFor ?? waitingFor;
  const asks = endsWaitingFor || status !== 'active' ? turn : turn - 1;
  const isAnswered = [...reading, ...inbox].some(({ answer }) => answer?.verb !== 'raise');
  if (waits !== 'approval' || isAnswered) return `nothing waits for approval`;
  const meant = stampOf(raw)['turn'] ?? asks;
  if (meant !== asks) return `meant for another turn than ${asks}`;
  decide(durable, `sig_${verb}_${at.epoch}_${asks}`, { verb });
  return null;
}

/** Handles the input of `budget`: at any time, and a job that waits for it continues. */
export function receiveBudget(
  { durable }: JobState,
  raw: unknown,
  maxQueue: number,
): string | null {
  if (durable.inbox.length >= maxQueue) return `${maxQueue} instructions are already waiting`;
  const { usd } = stampOf(raw);
  if (typeof usd !== 'number' || !(usd >= 0.01 && usd <= MAX_BUDGET_USD))
    return `usd must be a number from 0.01 to ${MAX_BUDGET_USD}`;
  const budgetMicroUsd = Math.round(usd * 1e6);
  const moment = `sig_budget_${durable.at.epoch}_${durable.at.n}_`;
  const before = durable.seen.filter(id => id.startsWith(moment));
  const id = `${moment}${budgetMicroUsd}`;
  // 5, 3 and 5 again: the last one counts. The same as the last one is one that came again.
  if (before.at(-1)?.slice(moment.length).split('_')[0] === String(budgetMicroUsd)) return null;
  const messageId = before.includes(id) ? `${id}_${before.length}` : id;
  decide(durable, messageId, { verb: 'raise', budgetMicroUsd });
  return null;
}

/** A signal that comes again has the same id. */
function decide(received: Received, messageId: string, answer: Answer): void {
  if (received.seen.includes(messageId)) return;
  enqueueLast(received, { messageId, prompt: ANSWER_WORDS[answer.verb], answer });
}

/** Handles the input of `cancel`: ignored if it was meant for another epoch than the job is in. */
export function receiveCancel(
  { durable, publishing, isWaiting }: JobState,
  raw: unknown,
): string | null {
  if (isOutdated(durable, raw)) return `meant for another epoch`;
  // Still active, and resting, if it was woken for an instruction that was withdrawn. The API's
  // cancel, which names where it saw the job, may come before the instruction that it is meant for.
  const rests = isWaiting && durable.inbox.length === 0 && stampOf(raw)['n'] === undefined;
  if (durable.status !== 'active' || rests) return `the job is idle`;
  if (publishing) return `too late, the commit is being pushed`;
  durable.cancelRequested = true;
  return null;
}

/** Handles the input of `archive`; an active job is never archived. */
export function receiveArchive({ durable }: JobState, raw: unknown): string | null {
  if (isOutdated(durable, raw)) return `meant for another epoch`;
  const isRunning = durable.status === 'active' && !isOneAhead(durable, raw);
  if (isRunning || durable.inbox.length > 0) return `the job is active`;
  durable.archiveRequested = true;
  return null;
}

/**
 * The API archives a job that it saw idle. If that is one activity ahead of a running workflow, the
 * workflow is about to learn that the job is idle.
 */
function isOneAhead({ at }: DurableState, raw: unknown): boolean {
  const { epoch, n } = stampOf(raw);
  return epoch === at.epoch && n === at.n + 1;
}

/**
 * A reset delivers later signals again, before an activity of the new run has brought the new
 * epoch. The sender of such a signal saw the row in a later state than is possible now: the row is at
 * most one activity ahead of what the workflow knows, and it can be the first of an epoch.
 */
function isOutdated({ at }: DurableState, raw: unknown): boolean {
  const { epoch, n } = stampOf(raw);
  if (typeof epoch !== 'number') return false;
  return epoch < at.epoch || (typeof n === 'number' && n > (epoch === at.epoch ? at.n : 0) + 1);
}

/** Where the sender of a signal saw the job, if the sender named it. */
function stampOf(raw: unknown): Record<string, unknown> {
  return (typeof raw === 'object' && raw !== null ? raw : {}) as Record<string, unknown>;
}

function isMembers(raw: unknown): raw is Record<string, unknown> {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw);
}
