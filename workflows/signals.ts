import { patched } from '@temporalio/workflow';
import { oneUnitEach } from '../shared/text/characters.ts';
import { MAX_PROMPT, SIGNALS } from '../shared/jobs/job.ts';
import type { JobState } from './job-state.ts';

const MAX_MESSAGE_ID = 255;

/**
 * Takes the input of the signal `message`, whatever it is. Scripts send what they like, and a
 * handler that throws would block the job for good. Returns why the signal is ignored, or null.
 */
export function receiveMessage(
  job: Pick<JobState, 'seen' | 'unnamed' | 'inbox'>,
  raw: unknown,
  maxQueue: number,
  isPatched = patched,
): string | null {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    return `${SIGNALS.message}: takes {"prompt": "…"}`;
  const { prompt, messageId, stored } = raw as Record<string, unknown>;
  if (
    messageId !== undefined &&
    messageId !== null &&
    (typeof messageId !== 'string' || !messageId || oneUnitEach(messageId).length > MAX_MESSAGE_ID)
  ) {
    return `${SIGNALS.message}: messageId takes 1 to ${MAX_MESSAGE_ID} characters`;
  }
  // Postgres keeps no such character: storing it would fail for ever.
  if (`${String(messageId)}${String(prompt)}`.includes('\0'))
    return `${SIGNALS.message}: holds the character U+0000`;
  // Postgres would take any two such ids for one. The patch: jobs from before it have taken them.
  if (typeof messageId === 'string' && /\p{Cs}/u.test(messageId) && isPatched('whole-message-ids'))
    return `${SIGNALS.message}: messageId holds half a character`;
  const id = typeof messageId === 'string' ? messageId : nextId(job, String(prompt));
  if (job.seen.includes(id)) return null; // sent again: the first one counts
  if (stored !== true) {
    if (typeof prompt !== 'string' || !prompt.trim())
      return `${SIGNALS.message}: prompt takes a text of 1 to ${MAX_PROMPT} characters`;
    if (oneUnitEach(prompt).length > MAX_PROMPT)
      return `${SIGNALS.message}: prompt is longer than ${MAX_PROMPT} characters`;
    if (job.inbox.length >= maxQueue)
      return `${SIGNALS.message}: ${maxQueue} instructions are waiting already`;
  }
  job.seen.push(id);
  job.inbox.push(stored === true ? { messageId: id } : { messageId: id, prompt: prompt as string });
  return null;
}

/**
 * The id of an instruction whose sender gave it none. A reset of the workflow delivers later
 * signals again: by count and text they are the same ones as before, so that none is listed twice;
 * after a rewind, another text gets another id.
 */
function nextId(job: Pick<JobState, 'unnamed'>, prompt: string): string {
  job.unnamed += 1;
  return `sig_${job.unnamed}_${fingerprint(prompt)}`;
}

/** FNV-1a, 64 bits: the sandbox of workflows has no crypto. */
function fingerprint(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let i = 0; i < text.length; i++)
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(i))) * 0x100000001b3n);
  return hash.toString(36);
}

/** Takes the input of `cancel`: void when it was meant for another epoch than the job is in. */
export function receiveCancel(job: JobState, raw: unknown): string | null {
  if (isOutdated(job, raw)) return `${SIGNALS.cancel}: meant for another epoch`;
  if (job.status !== 'active') return `${SIGNALS.cancel}: the job is at rest`;
  if (job.publishing) return `${SIGNALS.cancel}: too late, the commit is on its way`;
  job.cancelRequested = true;
  return null;
}

/** Takes the input of `archive`; an active job is never archived. */
export function receiveArchive(job: JobState, raw: unknown, isPatched = patched): string | null {
  if (isOutdated(job, raw)) return `${SIGNALS.archive}: meant for another epoch`;
  const atWork =
    job.status === 'active' && !(isOneAhead(job, raw) && isPatched('archive-at-report'));
  if (atWork || job.inbox.length > 0) return `${SIGNALS.archive}: the job is active`;
  job.archiveRequested = true;
  return null;
}

/**
 * The API archives what it saw at rest: where that is one activity ahead of a job at work, the
 * workflow is about to hear of its rest.
 */
function isOneAhead({ at }: JobState, raw: unknown): boolean {
  const { epoch, n } = stampOf(raw);
  return epoch === at.epoch && n === at.n + 1;
}

/**
 * A reset delivers later signals again before an activity of the new run has told the new epoch:
 * such a one saw the row further on than it can have been, which is one activity ahead of the
 * workflow at most, perhaps the first of an epoch.
 */
function isOutdated({ at }: JobState, raw: unknown): boolean {
  const { epoch, n } = stampOf(raw);
  if (typeof epoch !== 'number') return false;
  return epoch < at.epoch || (typeof n === 'number' && n > (epoch === at.epoch ? at.n : 0) + 1);
}

/** Where the job stood for the sender of a signal, who may not have said it. */
function stampOf(raw: unknown): Record<string, unknown> {
  return (typeof raw === 'object' && raw !== null ? raw : {}) as Record<string, unknown>;
}
