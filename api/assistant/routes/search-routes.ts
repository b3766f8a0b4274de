import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Problem } from '../../../shared/errors.ts';
import { type FirstIndex, readFirstIndex } from '../../../db/search/site-notes.ts';
import { RETRY_AFTER_SECONDS, retryAfter } from '../../../shared/retry-after.ts';
import { readPage } from '../../../db/search/pages.ts';
import { RESULTS } from '../../../db/search/number-of-results.ts';
import { requireAssistantProject } from '../../plugins/path-project.ts';
import { shown } from '../answer/citations.ts';
import type { AssistantDeps } from '../deps.ts';
import { countUse } from '../limits/use-limits.ts';
import { FAILURES, PATHS, ROUTE } from './paths.ts';
import { DomainParams, PageAnswer, PageBody, SearchAnswer, SearchBody } from './schemas.ts';

/** Search and page: what the assistant finds, without a model. */
export const searchRoutes: FastifyPluginAsyncTypebox<AssistantDeps> = async (app, deps) => {
  const { db, limiter, answering } = deps;
  requireAssistantProject(app, db);

  app.post(
    PATHS.search,
    {
      ...ROUTE,
      schema: {
        tags: ['Assistant'],
        operationId: 'search',
        summary: 'Search the pages',
        description: 'What the assistant finds, without a model.',
        params: DomainParams,
        body: SearchBody,
        response: { 200: SearchAnswer, ...FAILURES },
      },
    },
    async (request, reply) => {
      const { query, pageSize = RESULTS.endpoint, filter } = request.body;
      const first = await readFirstIndex(db, request.project.id);
      if (first?.pagesRead === 0) throw notRead();
      reply.headers(await countUse(limiter, request, 'search'));
      const found = await answering.search({
        projectId: request.project.id,
        query,
        pageSize,
        ...(filter && { filter }),
      });
      // An empty answer would say that the docs contain nothing.
      if (first && found.length === 0) throw notRead();
      if (first) reply.header(READ_SO_FAR, readSoFar(first));
      return found.map(shown);
    },
  );

  await app.register(pageRoute, deps);
};

const pageRoute: FastifyPluginAsyncTypebox<AssistantDeps> = async (app, { db, limiter }) => {
  app.post(
    PATHS.page,
    {
      ...ROUTE,
      schema: {
        tags: ['Assistant'],
        operationId: 'readPage',
        summary: 'Read a page',
        description: 'By its path on the site.',
        params: DomainParams,
        body: PageBody,
        response: { 200: PageAnswer, ...FAILURES },
      },
    },
    async (request, reply) => {
      const { path, filter } = request.body;
      const first = await readFirstIndex(db, request.project.id);
      if (first?.pagesRead === 0) throw notRead();
      reply.headers(await countUse(limiter, request, 'search'));
      const page = await readPage(db, request.project.id, path, filter ?? undefined);
      if (!page && first) throw notRead();
      if (!page) throw new Problem('not_found', 'There is no such page.');
      return page;
    },
  );
};

/** The answer comes from a part of the docs: pages read so far, of how many. */
const READ_SO_FAR = 'x-pages-read';

function readSoFar({ pagesRead, pagesTotal }: FirstIndex): string {
  return `${pagesRead}/${pagesTotal ?? '?'}`;
}

function notRead(): Problem {
  return new Problem('unavailable', 'The docs are still being indexed.', {
    headers: retryAfter(RETRY_AFTER_SECONDS.firstIndex),
  });
}
