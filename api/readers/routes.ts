import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { recordAudit } from '../../db/audit/audit-log.ts';
import {
  deleteConversations,
  type Deleted as DeletedRows,
  listConversations,
} from '../../db/assistant/readers.ts';
import { ANONYMOUS } from '../../db/assistant/threads.ts';
import { transaction } from '../../db/pool.ts';
import { fieldProblem } from '../../shared/errors.ts';
import { CHANGE_PROBLEMS, READ_PROBLEMS } from '../agent/responses.ts';
import { actorOf, recordExport } from '../audit.ts';
import type { ApiDeps } from '../deps.ts';
import { requireAgentProject } from '../plugins/path-project.ts';
import { conversation, noThread } from './conversation.ts';
import { questionRoutes } from './question-routes.ts';
import {
  Deleted,
  ProjectParams,
  ReaderPage,
  ReaderQuery,
  Thread,
  ThreadList,
  ThreadPage,
  ThreadParams,
} from './schemas.ts';

const config = { access: 'admin' } as const;
const tags = ['Readers'];
const READER = '/v1/readers/:projectId';
const THREAD = `${READER}/threads/:threadId`;
const THREADS_AT_ONCE = 100;

/** What is stored of readers: to hand it out, to delete it, and what it says of the docs. */
export const readerRoutes: FastifyPluginAsyncTypebox<ApiDeps> = async (app, deps) => {
  requireAgentProject(app, deps.pool);
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'cache-control': 'no-store', vary: 'Authorization' });
  });
  await app.register(readingRoutes, deps);
  await app.register(deletingRoutes, deps);
  await app.register(questionRoutes, deps);
};

const readingRoutes: FastifyPluginAsyncTypebox<ApiDeps> = async (app, { pool }) => {
  app.get(
    READER,
    {
      config,
      schema: {
        ...{ tags, operationId: 'listThreads', summary: 'List the conversations of a reader' },
        description: 'Of one fp. Their messages are read one by one.',
        ...{ params: ProjectParams, querystring: ReaderPage },
        response: { 200: ThreadList, ...READ_PROBLEMS },
      },
    },
    async request => {
      const { project, query } = request;
      const { fp, cursor } = query;
      const limit = THREADS_AT_ONCE;
      const found = await listConversations(
        pool,
        { projectId: project.id, fp: named(fp) },
        { limit: limit + 1, ...(cursor !== undefined && { after: cursor }) },
      );
      const threads = found.slice(0, limit).map(({ id, createdAt, updatedAt }) => ({
        ...{ threadId: id, createdAt: createdAt.toISOString() },
        updatedAt: updatedAt.toISOString(),
      }));
      if (cursor === undefined) await recordExport(pool, request, { of: 'conversations' });
      const last = threads.at(-1)?.threadId ?? null;
      return { threads, nextCursor: found.length > limit ? last : null };
    },
  );
  app.get(
    THREAD,
    {
      config,
      schema: {
        ...{ tags, operationId: 'readThread', summary: 'Read a conversation' },
        description: 'Its messages in order, with sources and votes.',
        ...{ params: ThreadParams, querystring: ThreadPage },
        response: { 200: Thread, ...READ_PROBLEMS },
      },
    },
    async request => {
      const { project, params, query } = request;
      const of = { projectId: project.id, threadId: params.threadId };
      const read = await conversation(pool, of, query.cursor);
      if (query.cursor === undefined) await recordExport(pool, request, { of: 'conversation' });
      return read;
    },
  );
};

const deletingRoutes: FastifyPluginAsyncTypebox<ApiDeps> = async (app, { pool }) => {
  app.delete(
    READER,
    {
      config,
      schema: {
        ...{ tags, operationId: 'deleteReader', summary: 'Delete the conversations of a reader' },
        description: 'With votes, feedback on pages, and entries in the list of questions.',
        ...{ params: ProjectParams, querystring: ReaderQuery },
        response: { 200: Deleted, ...CHANGE_PROBLEMS },
      },
    },
    async request => remove(request, { fp: named(request.query.fp) }),
  );
  app.delete(
    THREAD,
    {
      config,
      schema: {
        ...{ tags, operationId: 'deleteThread', summary: 'Delete a conversation' },
        description: 'With its votes, and its entries in the list of questions.',
        params: ThreadParams,
        response: { 200: Deleted, ...CHANGE_PROBLEMS },
      },
    },
    async request => {
      const { threadId } = request.params;
      const deleted = await remove(request, { threadId });
      if (deleted.threads === 0) throw noThread();
      return deleted;
    },
  );

  /** The audit log counts, and names nobody. */
  async function remove(
    request: FastifyRequest,
    which: { fp: string } | { threadId: string },
  ): Promise<DeletedRows> {
    const { id, organizationId, name } = request.project;
    return deletingAgain(async () =>
      transaction(pool, async tx => {
        const deleted = await deleteConversations(tx, { projectId: id, ...which });
        if (deleted.threads + deleted.feedback > 0)
          await recordAudit(tx, organizationId, {
            ...{ action: 'reader.deleted', actor: actorOf(request) },
            ...{ subject: { kind: 'project', id, name }, details: { ...deleted } },
          });
        return deleted;
      }),
    );
  }
};

const UNIQUE_VIOLATION = '23505';
const MOST_ATTEMPTS = 5;

/**
 * What is left of a group of questions may get the words of a group that a question makes at the
 * same moment. Then the deletion begins again, and finds that group.
 */
async function deletingAgain(remove: () => Promise<DeletedRows>): Promise<DeletedRows> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await remove();
    } catch (error) {
      const { code } = error as { code?: string };
      if (code !== UNIQUE_VIOLATION || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

function named(fp: string | undefined): string {
  if (fp === undefined) throw fieldProblem('fp', 'is required');
  if (fp !== ANONYMOUS) return fp;
  throw fieldProblem('fp', 'must name a reader: "anonymous" is everybody who is not known');
}
