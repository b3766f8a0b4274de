import type { FastifyReply } from 'fastify';
import type { FileText } from '../contract/jobs.ts';
import { NO_VERSION } from '../contract/site.ts';
import { type Project, findProjectByDomain } from '../../../db/projects/projects.ts';
import { Problem } from '../../../shared/errors.ts';
import { answerMessage } from '../../assistant/routes/answer-message.ts';
import { uiMessageStream } from '../../assistant/wire/v2-ui-message-stream.ts';
import { keyOfOurs } from '../../../db/projects/project-keys.ts';
import { countRead } from '../../assistant/limits/use-limits.ts';
import { wholePage } from '../../reader/render/render-page.ts';
import type { SiteRenderer } from '../../reader/site-renderer.ts';
import type { DashboardDeps } from '../deps.ts';
import type { Handlers, RouteRequest } from '../handlers.ts';
import { pullRequestsOf, shownToPeople } from '../project/hosts.ts';

const LARGEST_TEXT = 1024 * 1024;
const LARGEST_IMAGE = 10 * 1024 * 1024;
const NO_PAGE = 'There is no such page in these docs.';
const NO_SITE = 'There are no such docs, or they are not public.';

/** The docs as readers see them: of a project for its members, of a public one for everybody. */
export function siteRoutes(deps: DashboardDeps) {
  return { ...memberRoutes(deps), ...publicRoutes(deps) };
}

export type PublicDeps = Pick<DashboardDeps, 'reader' | 'pool' | 'assistant'>;

export interface ReadSite {
  name: string;
  ref: string | null;
  site: SiteRenderer;
}

function memberRoutes(deps: DashboardDeps) {
  const read = <T>(
    project: Project,
    ref: string | undefined,
    work: (at: ReadSite) => Promise<T>,
  ) => {
    const branch = ref ?? project.baseRef;
    return deps.reader
      .atBranch(project, branch, false, site => work({ name: project.name, ref: branch, site }))
      .catch(shownToPeople);
  };
  return {
    'GET /projects/:projectId/site': ({ project, query }) =>
      read(project, query.ref, at => frameOf(at, query)),

    'GET /projects/:projectId/site/page': ({ project, query }) =>
      read(project, query.ref, at => pageOf(at, query.path)),

    'GET /projects/:projectId/site/search': ({ project, query }) =>
      read(project, query.ref, ({ site }) => site.search(query.query)),

    'GET /projects/:projectId/site/image': ({ project, query }, reply) =>
      read(project, query.ref, ({ site }) => sendImage(site, query.path, reply)),

    'GET /projects/:projectId/pulls/:number/page': ({ project, params, query }) =>
      changedPage(deps, project, params.number, query).catch(shownToPeople),

    'GET /projects/:projectId/pulls/:number/image': async (request, reply) => {
      const { project, params, query } = request;
      const pull = await pullRequestsOf(deps, project).get(deps, project.repository, params.number);
      const commit = query.side === 'before' ? pull.baseCommit : pull.headCommit;
      return deps.reader
        .atCommit(project, commit, false, site => sendImage(site, query.file, reply))
        .catch(shownToPeople);
    },

    'GET /projects/:projectId/pulls/:number/text': async ({ project, params, query }) => {
      const { headCommit } = await pullRequestsOf(deps, project).get(
        deps,
        project.repository,
        params.number,
      );
      return deps.reader
        .atCommit(project, headCommit, false, site => fileText(site, query.file))
        .catch(shownToPeople);
    },
  } satisfies Partial<Handlers>;
}

function publicRoutes(deps: DashboardDeps) {
  const read = <T>(
    request: Pick<RouteRequest<'GET /sites/:domain'>, 'params' | 'ip'>,
    work: (at: ReadSite) => Promise<T>,
  ) => readPublic(deps, request, work);
  return {
    'GET /sites/:domain': request => read(request, at => frameOf(at, request.query)),

    'GET /sites/:domain/page': request => read(request, at => pageOf(at, request.query.path)),

    'GET /sites/:domain/search': request =>
      read(request, ({ site }) => site.search(request.query.query)),

    'POST /sites/:domain/assistant': async (request, reply) => {
      const { params, body } = request;
      const project = await findProjectByDomain(deps.pool, params.domain);
      if (!project?.public) throw new Problem('not_found', NO_SITE);
      request.project = project;
      request.apiKey = await keyOfOurs(deps.pool, project, 'Public docs');
      const asked = { ...body, fp: 'anonymous' };
      return answerMessage(
        deps.assistant,
        request,
        reply,
        asked,
        uiMessageStream({ topLevelThreadId: false }),
      );
    },

    'GET /sites/:domain/image': (request, reply) =>
      read(request, ({ site }) => sendImage(site, request.query.path, reply)),
  } satisfies Partial<Handlers>;
}

/** A page before and after a pull request, as one tree with what changed marked. */
async function changedPage(
  deps: DashboardDeps,
  project: Project,
  number: number,
  { file, from }: { file: string; from?: string },
) {
  const pulls = pullRequestsOf(deps, project);
  const { baseCommit, headCommit } = await pulls.get(deps, project.repository, number);
  const before = await deps.reader.atCommit(project, baseCommit, false, site =>
    site.file(from ?? file),
  );
  return deps.reader.atCommit(project, headCommit, false, async site => {
    const exists = site.snapshot.entries.has(file);
    return { nodes: await site.changes(exists ? file : null, wholePage(before)) };
  });
}

/** `-`: the docs of Docent itself. Reads of a public project count as those of its Markdown. */
export async function readPublic<T>(
  { reader, pool, assistant }: PublicDeps,
  { params, ip }: Pick<RouteRequest<'GET /sites/:domain'>, 'params' | 'ip'>,
  work: (at: ReadSite) => Promise<T>,
): Promise<T> {
  if (params.domain === '-') {
    await countRead(assistant.limiter, { organizationId: null, ip });
    return reader.ownDocs(site => work({ name: 'Docent', ref: null, site }));
  }
  const project = await findProjectByDomain(pool, params.domain);
  if (!project?.public) throw new Problem('not_found', NO_SITE);
  await countRead(assistant.limiter, { organizationId: project.organizationId, ip });
  return await reader
    .atBranch(project, project.baseRef, true, site => work({ name: project.name, ref: null, site }))
    .catch(shownToPeople);
}

/** The lines of a file of a pull request; none if it is not text, or is too long to show. */
async function fileText({ snapshot }: SiteRenderer, file: string): Promise<FileText> {
  const entry = snapshot.entries.get(file);
  const isFile = entry?.mode === '100644' || entry?.mode === '100755';
  const bytes = isFile && entry.size <= LARGEST_TEXT ? await snapshot.read(file) : undefined;
  if (!bytes || bytes.includes(0)) return { lines: [] };
  const lines = bytes.toString('utf8').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return { lines };
}

export async function frameOf(
  { name, ref, site }: ReadSite,
  { language, version }: { language?: string | undefined; version?: string | undefined },
) {
  const edition = {
    ...(language && { language }),
    ...(version && { version: version === NO_VERSION ? null : version }),
  };
  return { ...(await site.frame(edition)), name, ref, commit: site.snapshot.commit };
}

async function pageOf({ site }: ReadSite, path: string) {
  const page = await site.page(path);
  if (!page) throw new Problem('not_found', NO_PAGE);
  return page;
}

/**
 * A picture of the repository. Its bytes decide what it is; opened by itself it can run and load
 * nothing.
 */
async function sendImage(site: SiteRenderer, path: string, reply: FastifyReply) {
  const entry = site.snapshot.entries.get(path);
  const isFile = entry?.mode === '100644' || entry?.mode === '100755';
  const bytes = isFile && entry.size <= LARGEST_IMAGE ? await site.snapshot.read(path) : undefined;
  const type = bytes && rasterImageType(bytes);
  if (!type) throw new Problem('not_found', 'There is no such image.');
  return reply
    .headers({
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, max-age=60',
    })
    .type(type)
    .send(bytes);
}

/** Raster images by the bytes that they begin with. */
const SIGNATURES: readonly { type: string; at: number; bytes: string }[] = [
  { type: 'image/png', at: 0, bytes: '\x89PNG\r\n\x1a\n' },
  { type: 'image/jpeg', at: 0, bytes: '\xff\xd8\xff' },
  { type: 'image/gif', at: 0, bytes: 'GIF87a' },
  { type: 'image/gif', at: 0, bytes: 'GIF89a' },
  { type: 'image/webp', at: 8, bytes: 'WEBP' },
  { type: 'image/avif', at: 4, bytes: 'ftypavif' },
];

/** The type of a picture; undefined for anything else. SVG is a document: it is not served. */
function rasterImageType(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 32).toString('latin1');
  return SIGNATURES.find(signature => head.startsWith(signature.bytes, signature.at))?.type;
}
