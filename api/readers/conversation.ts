import { type ConversationOf, findConversation, readMessages } from '../../db/assistant/readers.ts';
import type { Queryable } from '../../db/pool.ts';
import { fieldProblem, Problem } from '../../shared/errors.ts';
import type { ThreadBody } from './schemas.ts';

const MESSAGES_AT_ONCE = 100;

/** A page of a conversation; 404 if there is none, or another reader began it. */
export async function conversation(
  db: Queryable,
  of: ConversationOf,
  cursor: string | undefined,
): Promise<ThreadBody> {
  const after = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isSafeInteger(after) || after < 0)
    throw fieldProblem('cursor', 'must be nextCursor of the previous page');
  const found = await findConversation(db, of);
  if (!found) throw noThread();
  const limit = MESSAGES_AT_ONCE;
  const read = await readMessages(db, found.id, { limit: limit + 1, after });
  const shown = read.slice(0, limit);
  return {
    threadId: found.id,
    createdAt: found.createdAt.toISOString(),
    messages: shown.map(({ id, role, text, sources, vote, createdAt }) => ({
      ...{ id, role, text, sources, vote },
      createdAt: createdAt.toISOString(),
    })),
    nextCursor: read.length > limit ? String(shown.at(-1)?.seq) : null,
  };
}

export function noThread(): Problem {
  return new Problem('not_found', 'There is no such conversation.');
}
