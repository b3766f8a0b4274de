import type { Static } from '@sinclair/typebox';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../../shared/errors.ts';
import { type FirstIndex, readFirstIndex } from '../../../db/search/site-notes.ts';
import { RETRY_AFTER_SECONDS, retryAfter } from '../../../shared/retry-after.ts';
import type { OpenPage } from '../../../db/search/open-pages.ts';
import { noteSearchWithoutHits } from '../../../db/assistant/searches.ts';
import { readPage } from '../../../db/search/pages.ts';
import type { SearchResult } from '../../../db/search/search-request.ts';
import { RESULTS } from '../../../db/search/number-of-results.ts';
import { requireAssistantProject } from '../../plugins/path-project.ts';
import { shown } from '../answer/citations.ts';
import type { AssistantDeps } from '../deps.ts';
import { countRead } from '../limits/use-limits.ts';
import { FAILURES, PATHS, ROUTE } from './paths.ts';
import { DomainParams, PageAnswer, PageBody, SearchAnswer, SearchBody } from './schemas.ts';

/** Search and page: what the assistant finds, without a model. */
export const searchRoutes: FastifyPluginAsyncTypebox<AssistantDeps> = async (app, deps) => {
  requireAssistantProject(app, deps.db);

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
    async (request, reply) => (await findPages(deps, request, reply, request.body)).map(shown),
  );

  await app.register(pageRoute, deps);
};

const pageRoute: FastifyPluginAsyncTypebox<AssistantDeps> = async (app, deps) => {
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
    async (request, reply) => findPage(deps, request, reply, request.body),
  );
};

/** What a search finds: counted, and 503 while the first index has found nothing. */
export async function findPages(
  { db, limiter, answering }: AssistantDeps,
  { project, ip, log }: FastifyRequest,
  reply: FastifyReply,
  { query, pageSize = RESULTS.endpoint, filter }: Static<typeof SearchBody>,
): Promise<SearchResult[]> {
  const { id: projectId, organizationId } = project;
  const first = await readFirstIndex(db, projectId);
  if (first?.pagesRead === 0) throw notRead();
  reply.headers(await countRead(limiter, { organizationId, ip }));
  const found = await answering.search({ projectId, query, pageSize, ...(filter && { filter }) });
  // An empty answer would say that the docs contain nothing.
  if (first && found.length === 0) throw notRead();
  if (first) reply.header(READ_SO_FAR, readSoFar(first));
  if (found.length === 0)
    await noteSearchWithoutHits(db, projectId, query).catch((error: unknown) => {
      log.error({ err: error }, 'a search without hits was not noted');
    });
  return found;
}

/** A page by its path: counted as a search; 404 if there is none. */
export async function findPage(
  { db, limiter }: AssistantDeps,
  { project, ip }: FastifyRequest,
  reply: FastifyReply,
  { path, filter }: Static<typeof PageBody>,
): Promise<OpenPage> {
  const { id: projectId, organizationId } = project;
  const first = await readFirstIndex(db, projectId);
  if (first?.pagesRead === 0) throw notRead();
  reply.headers(await countRead(limiter, { organizationId, ip }));
  const page = await readPage(db, projectId, path, filter ?? undefined);
  if (!page && first) throw notRead();
  if (!page) throw new Problem('not_found', 'There is no such page.');
  return page;
}

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
