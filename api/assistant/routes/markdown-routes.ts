import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { publicUrl } from '../../../shared/config.ts';
import type { Project } from '../../../db/projects/projects.ts';
import { readIndexState } from '../../../db/search/index-state.ts';
import { readPage } from '../../../db/search/pages.ts';
import { Problem } from '../../../shared/errors.ts';
import { cleanSitePath } from '../../../sites/page-path.ts';
import { etagMatches, etagOf } from '../../etag.ts';
import { pathParameter, requireReadableProject } from '../../plugins/path-project.ts';
import { RETRY_AFTER_SECONDS, retryAfter } from '../../../shared/retry-after.ts';
import type { AssistantDeps } from '../deps.ts';
import { countRead } from '../limits/use-limits.ts';
import { llmsFullText, llmsText } from '../markdown/llms-text.ts';
import { addressOf, type MarkdownSite } from '../markdown/markdown-site.ts';
import { pagesMarkdown } from '../markdown/page-markdown.ts';
import { FAILURES, MARKDOWN_PATHS } from './paths.ts';
import { DomainParams, MarkdownPageParams } from './schemas.ts';

const MAX_AGE_SECONDS = 300;
const MARKDOWN = 'text/markdown; charset=utf-8';
const config = { access: 'reader' } as const;

const response = {
  200: { description: 'Markdown.', content: { 'text/markdown': { schema: { type: 'string' } } } },
  304: { type: 'null', description: 'Not changed since the ETag of If-None-Match.' },
  ...FAILURES,
};
const tags = ['Assistant'];

/**
 * The site as Markdown, for agents of readers: llms.txt, llms-full.txt and every page. Of a public
 * project to everybody, else to an assistant key; never a page that is for groups only.
 */
export const markdownRoutes: FastifyPluginAsyncTypebox<AssistantDeps> = async (app, deps) => {
  requireReadableProject(app, deps.db);
  app.get(
    MARKDOWN_PATHS.llms,
    {
      config,
      schema: {
        tags,
        ...{ operationId: 'getLlmsTxt', summary: 'llms.txt of the site' },
        description: 'Its pages, with a line about each.',
        params: DomainParams,
        response,
      },
    },
    (request, reply) => answer(deps, request, reply, llmsText),
  );
  app.get(
    MARKDOWN_PATHS.llmsFull,
    {
      config,
      schema: {
        tags,
        ...{ operationId: 'getLlmsFullTxt', summary: 'llms-full.txt of the site' },
        description: 'Every page.',
        params: DomainParams,
        response,
      },
    },
    (request, reply) => answer(deps, request, reply, llmsFullText),
  );
  app.get(
    MARKDOWN_PATHS.page,
    {
      config,
      onRequest: onlyPages,
      schema: {
        tags,
        ...{ operationId: 'getMarkdownPage', summary: 'Read a page as Markdown' },
        description: 'By its path and .md.',
        params: MarkdownPageParams,
        response,
      },
    },
    (request, reply) =>
      answer(deps, request, reply, site => pageText(deps, site, request.params['*'])),
  );
};

/** Other paths below /discovery/v1 look the same to the router. */
async function onlyPages(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  return isPage(request) ? undefined : reply.callNotFound();
}

type Text = AsyncIterable<string>;

function isPage(request: FastifyRequest): boolean {
  return pathParameter(request, '*').endsWith('.md');
}

async function answer(
  deps: AssistantDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  textOf: (site: MarkdownSite) => Text | Promise<Text>,
): Promise<FastifyReply> {
  const { project } = request;
  const index = await readIndexState(deps.db, project.id);
  if (!index?.complete)
    throw new Problem('unavailable', 'The docs are still being indexed.', {
      headers: retryAfter(RETRY_AFTER_SECONDS.firstIndex),
    });
  const { organizationId } = project;
  reply.headers(await countRead(deps.limiter, { organizationId, ip: request.ip }));
  const site = siteOf(deps, project, index.site.basePath);
  const etag = etagOf([request.url, project.name, site.address, index.commit, index.builtAt]);
  const scope = project.public ? 'public' : 'private';
  reply.headers({
    etag,
    vary: 'Authorization',
    'cache-control': `${scope}, max-age=${MAX_AGE_SECONDS}`,
    link: `<${addressOf(site, '/llms.txt')}>; rel="llms-txt"`,
    'x-llms-txt': addressOf(site, '/llms.txt'),
  });
  // A page that is missing is so whatever the caller has.
  const text = await textOf(site);
  if (etagMatches(request.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.type(MARKDOWN).send(Readable.from(text));
}

/** Where the site's owner serves these files: at the site itself, if its address is known. */
function siteOf(deps: AssistantDeps, project: Project, basePath: string): MarkdownSite {
  const { id, name, domain, siteUrl } = project;
  const address = siteUrl ?? `${publicUrl(deps.config)}/discovery/v1/${domain}`;
  return { db: deps.db, projectId: id, name, address, basePath: siteUrl ? basePath : '/' };
}

async function pageText(
  deps: AssistantDeps,
  site: MarkdownSite,
  written: string,
): Promise<AsyncIterable<string>> {
  const path = cleanSitePath(written);
  const page = path === undefined ? undefined : await readPage(deps.db, site.projectId, path);
  if (!page) throw new Problem('not_found', 'There is no such page.');
  return once(await pagesMarkdown(site, [page]));
}

async function* once(text: string): AsyncIterable<string> {
  yield text;
}
