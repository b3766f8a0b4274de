import { cachedShare, knownCost } from '../shared/models/cost.ts';
import type { FailureCode } from '../shared/jobs/failures.ts';
import type { Conversation } from '../shared/jobs/conversation.ts';
import { readAgentTexts } from '../db/jobs/conversation.ts';
import { readEventsOfTypes } from '../db/jobs/events.ts';
import { readOutcomes } from '../db/jobs/job-overviews.ts';
import { type Outcome as JobOutcome, resultOf } from '../db/jobs/outcome.ts';
import { listInstructions } from '../db/jobs/instructions.ts';
import type { Job } from '../db/jobs/job.ts';
import { listUploads } from '../db/uploads/uploads.ts';
import { linkNow } from '../hosts/registry.ts';
import type { JobsDeps } from './deps.ts';
import { readWaiting } from './waiting/read-waiting.ts';

type Item = Conversation['messages'][number];
type Outcome = Item & { type: 'outcome' };
type Events = Awaited<
  ReturnType<typeof readEventsOfTypes<'instruction' | 'finish' | 'checks' | 'rewound'>>
>;

/** Rank within a turn: what was asked, what was said, how it ended. */
const RANK = { instruction: 0, text: 1, outcome: 2 } as const;

/** A job's instructions, answers and outcomes, in order; none that a rewind has undone. */
export async function readConversation(
  { pool, config }: Pick<JobsDeps, 'pool' | 'config'>,
  job: Job,
): Promise<Conversation> {
  const [instructions, uploads, texts, events, outcomesById] = await Promise.all([
    listInstructions(pool, job.id),
    listUploads(pool, job.id),
    readAgentTexts(pool, job.transcriptHead),
    readEventsOfTypes(pool, job.id, ['instruction', 'finish', 'checks', 'rewound'] as const),
    readOutcomes(pool, [job.id]),
  ]);
  const read = readingOrder(events);
  instructions.sort((a, b) => compare(read.get(a.messageId), read.get(b.messageId)));
  const messages: Item[] = [
    ...instructions.map(({ messageId, prompt, role, state, turn, createdAt }) => ({
      type: 'instruction' as const,
      id: messageId,
      role,
      text: prompt,
      state: state as 'waiting' | 'taken' | 'dropped',
      turn,
      ...(uploads.has(messageId) && { uploads: uploads.get(messageId)! }),
      createdAt: createdAt.toISOString(),
    })),
    ...texts.map(text => ({
      type: 'text' as const,
      ...text,
      createdAt: text.createdAt.toISOString(),
    })),
    ...outcomes(events, job.turns).map(item => ({
      ...item,
      prLink: linkNow(config, job.host, item.prLink),
    })),
  ];
  // Sorting is stable: instructions of a turn keep the order in which they were read, texts that of
  // their steps.
  messages.sort((a, b) => compare(a.turn, b.turn) || RANK[a.type] - RANK[b.type]);
  return {
    outcome: outcomeOf(job, outcomesById.get(job.id)),
    waiting: await readWaiting(pool, job),
    messages,
    todos: job.todos,
    usage: {
      inputTokens: job.inputTokens,
      outputTokens: job.outputTokens,
      cacheReadTokens: job.cacheReadTokens,
      cacheWriteTokens: job.cacheWriteTokens,
      cachedShare: cachedShare(job),
      ...knownCost(job),
    },
  };
}

function outcomeOf(
  { messageToUser }: Job,
  found: { outcome: JobOutcome; code: FailureCode | null } | undefined,
): Conversation['outcome'] {
  const result = resultOf(found?.outcome ?? 'active');
  const code = found?.code;
  return result && { result, sentence: messageToUser ?? '', ...(code && { code }) };
}

/** By number; what has none yet comes last. */
function compare(a: number | null | undefined, b: number | null | undefined): number {
  return (a ?? Number.MAX_SAFE_INTEGER) - (b ?? Number.MAX_SAFE_INTEGER);
}

/**
 * When each instruction was last read. Its row does not tell: a signal's row is written only then,
 * after rows of later instructions over HTTP.
 */
function readingOrder(events: Events): Map<string, number> {
  return new Map(
    events.flatMap(({ event }, position) =>
      event.type === 'instruction' ? [[event.messageId, position] as const] : [],
    ),
  );
}

/** The newest end of each turn; a rewound turn ends again, and those after it are void. */
function outcomes(events: Events, turns: number): Outcome[] {
  const byTurn = new Map<number, Outcome>();
  const findings = new Map<number, Outcome['findings']>();
  for (const { event, createdAt } of events) {
    if (event.type === 'instruction') continue;
    if (event.type === 'rewound') {
      for (const turn of [...byTurn.keys(), ...findings.keys()]) {
        if (turn < event.turn) continue;
        byTurn.delete(turn);
        findings.delete(turn);
      }
    } else if (event.turn > turns) continue;
    else if (event.type === 'checks') findings.set(event.turn, event.findings);
    else {
      byTurn.set(event.turn, {
        type: 'outcome',
        turn: event.turn,
        status: event.status,
        text: event.messageToUser,
        prLink: event.prLink,
        findings: findings.get(event.turn) ?? [],
        createdAt: createdAt.toISOString(),
      });
    }
  }
  return [...byTurn.values()];
}
