import type { FastifyInstance } from 'fastify';
import type { LocalPullRequestRow } from '../../db/local-host/local-pull-requests.ts';
import { readCommits, readDiff } from '../../hosts/local/diff.ts';
import type { LocalHostContext } from '../../hosts/local/context.ts';
import { pullRequestByToken } from '../../hosts/local/pull-requests.ts';
import { RepositoryError } from '../../hosts/repository-error.ts';
import { Problem } from '../../shared/errors.ts';
import type { LinkedPullRequest } from '../dashboard/contract/jobs.ts';
import { diffBody } from '../dashboard/jobs/diff.ts';
import { html } from '../html.ts';
import { pageHeaders, serverPage } from '../server-page.ts';
import type { ChangedPages } from './changed-pages.ts';
import { parseDiff } from '../../hosts/git/parse-diff.ts';

/** Characters of the diff and of the description that are sent as text, before any script. */
const LONGEST_TEXT = 100_000;
const LONGEST_PREVIEW = 300;
const NO_SUCH = 'There is no such pull request.';

export interface PageRoutesOptions {
  host: LocalHostContext;
  /** Shows pages as readers see them, where there is a reader. */
  pages?: ChangedPages | undefined;
}

/**
 * A pull request's page at `/pulls/<token>`, its diff at `/pulls/<token>.diff`, and its pages at
 * `/pulls/<token>/pages`. Anyone who has the link may read.
 */
export async function pageRoutes(
  app: FastifyInstance,
  { host, pages }: PageRoutesOptions,
): Promise<void> {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      ...pageHeaders(),
      'referrer-policy': 'no-referrer', // the address is the key
      'x-robots-tag': 'noindex',
      'cache-control': 'private, no-cache',
    });
  });

  app.get<{ Params: { token: string } }>(
    '/pulls/:token',
    { schema: { hide: true } },
    async (request, reply) => {
      const [, token, diffOnly] = /^([\w-]{22})(\.diff)?$/.exec(request.params.token) ?? [];
      const row = token === undefined ? undefined : await pullRequestByToken(host, token);
      if (row && diffOnly)
        return await reply.type('text/x-diff; charset=utf-8').send(await diffOf(host, row));
      return await reply
        .code(row ? 200 : 404)
        .type('text/html; charset=utf-8')
        .send(row ? await pullRequestPage(host, row) : missingPage());
    },
  );

  if (!pages) return;
  app.get<{ Params: { token: string } }>(
    '/pulls/:token/pages',
    { schema: { hide: true } },
    async ({ params }) => {
      const [token] = /^[\w-]{22}$/.exec(params.token) ?? [];
      const row = token === undefined ? undefined : await pullRequestByToken(host, token);
      if (!row) throw new Problem('not_found', NO_SUCH);
      try {
        return await pages.of(row, parseDiff(await diffOf(host, row)));
      } catch (error) {
        if (error instanceof RepositoryError) throw new Problem('unavailable', error.message);
        throw error;
      }
    },
  );
}

function diffOf(host: LocalHostContext, row: LocalPullRequestRow): Promise<string> {
  return readDiff(host, row.repository, row.base_commit, row.head_commit);
}

async function pullRequestPage(host: LocalHostContext, row: LocalPullRequestRow): Promise<string> {
  const { number, title, body, state, draft, head, base, repository, token } = row;
  const [diff, commits] = await Promise.all([
    // A change too large to show still has a page.
    diffOf(host, row).catch((error: unknown) => {
      if (error instanceof Problem) return undefined;
      throw error;
    }),
    readCommits(host, repository, row.base_commit, row.head_commit),
  ]);
  const pull: LinkedPullRequest = {
    ...{ number, title, body, state, draft, head, base, repository, commits },
    createdAt: row.created_at.toISOString(),
    closedAt: row.closed_at?.toISOString() ?? null,
    diff: diff === undefined ? { files: [], complete: false } : diffBody(diff),
  };
  const place = `#${number}, ${head} into ${base} of ${repository}`;
  const more = (diff?.length ?? Infinity) > LONGEST_TEXT ? 'All of the diff' : 'The diff as text';
  return serverPage({
    title: `${title} · #${number}`,
    description: preview(body) || place,
    content: html`<h1>${title}</h1>
<p class="soft">${state === 'open' && draft ? 'draft' : state}, ${place}</p>
<pre class="plain">${body.slice(0, LONGEST_TEXT)}</pre>
<p><a href="/pulls/${token}.diff">${more}</a></p>
<pre class="plain">${(diff ?? '').slice(0, LONGEST_TEXT)}</pre>`,
    data: pull,
  });
}

/** The beginning of a description, in one line without the marks of Markdown. */
function preview(body: string): string {
  const line = body
    .slice(0, 4 * LONGEST_PREVIEW)
    .replace(/^#+ |[`*]|!?\[([^\]]*)\]\([^)]*\)/gm, '$1')
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > LONGEST_PREVIEW ? `${line.slice(0, LONGEST_PREVIEW - 1)}…` : line;
}

function missingPage(): string {
  return serverPage({
    title: 'No such pull request',
    content: html`<h1>No such pull request</h1>
<p>The link is incomplete, or the repository was deleted.</p>`,
  });
}
