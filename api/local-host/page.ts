import type { FastifyInstance } from 'fastify';
import type { LocalPullRequestRow } from '../../db/local-host/local-host.ts';
import { Problem } from '../../shared/errors.ts';
import type { LocalHostContext } from '../../hosts/local/context.ts';
import { problemHeaders } from '../plugins/problems.ts';
import type { CommitLine } from '../../hosts/hosted-pull-requests.ts';
import { readCommits, readDiff } from '../../hosts/local/diff.ts';
import { type ChangedPages, isPage } from './changed-pages.ts';
import { fileLinks, renderDiff } from './diff-view.ts';
import { type FileDiff, parseDiff } from './parse-diff.ts';
import { RepositoryError } from '../../hosts/repository-error.ts';
import { type Html, html } from '../html.ts';
import { renderMarkdown } from './markdown-view.ts';
import { PAGE } from './page-style.ts';
import { changedPagesView, noPagesView, PAGES } from './pages-view.ts';
import { pullRequestByToken } from '../../hosts/local/pull-requests.ts';

const MAX_LINES = 5_000;

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
  app.addHook('onSend', async (request, reply) => {
    const { contentSecurityPolicy } = request.routeOptions.url?.endsWith('/pages') ? PAGES : PAGE;
    reply.headers({
      'content-security-policy': contentSecurityPolicy,
      'x-content-type-options': 'nosniff',
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
      if (!row)
        return await reply.code(404).type('text/html; charset=utf-8').send(missingPage().markup);
      if (diffOnly)
        return await reply.type('text/x-diff; charset=utf-8').send(await diffOf(host, row));
      const [diff, commits] = await Promise.all([
        // A change too large to show still has a page.
        diffOf(host, row).catch((error: unknown) => {
          if (error instanceof Problem) return undefined;
          throw error;
        }),
        readCommits(host, row.repository, row.base_commit, row.head_commit),
      ]);
      return await reply
        .type('text/html; charset=utf-8')
        .send(pullRequestPage(row, commits, diff, pages !== undefined).markup);
    },
  );
  if (pages) changedPagesRoute(app, host, pages);
}

function changedPagesRoute(
  app: FastifyInstance,
  host: LocalHostContext,
  pages: ChangedPages,
): void {
  app.get<{ Params: { token: string } }>(
    '/pulls/:token/pages',
    { schema: { hide: true } },
    async (request, reply) => {
      reply.type('text/html; charset=utf-8');
      const [token] = /^[\w-]{22}$/.exec(request.params.token) ?? [];
      const row = token === undefined ? undefined : await pullRequestByToken(host, token);
      if (!row) return await reply.code(404).send(missingPage(PAGES).markup);
      const shown = { title: row.title, link: `/pulls/${row.token}` };
      try {
        const files = parseDiff(await diffOf(host, row));
        return await reply.send(changedPagesView(shown, await pages.of(row, files)).markup);
      } catch (error) {
        const problem = whyNot(error);
        return await reply
          .code(problem.status)
          .headers(problemHeaders(problem))
          .send(noPagesView(shown, problem.message).markup);
      }
    },
  );
}

/** Rethrows what is a fault of ours. */
function whyNot(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof RepositoryError) return new Problem('unavailable', error.message);
  throw error;
}

function diffOf(host: LocalHostContext, row: LocalPullRequestRow): Promise<string> {
  return readDiff(host, row.repository, row.base_commit, row.head_commit);
}

function pullRequestPage(
  row: LocalPullRequestRow,
  commits: CommitLine[],
  diff: string | undefined,
  hasPages: boolean,
): Html {
  const state = row.state === 'open' && row.draft ? 'draft' : row.state;
  const files = diff === undefined ? [] : parseDiff(diff);
  const end = row.closed_at ? html`, ${row.state} ${time(row.closed_at)}` : '';
  const body = row.body.trim()
    ? renderMarkdown(row.body)
    : html`<p class="quiet">No description.</p>`;
  return PAGE.render({
    title: `${row.title} · #${row.number}`,
    brand: 'Docent',
    content: html`<main id="main">
<h1>${row.title} <span class="state ${state}">${state}</span></h1>
<p class="quiet"><span class="number">#${row.number}</span>, <code>${row.head}</code> into <code>${row.base}</code>
of <strong>${row.repository}</strong>, opened ${time(row.created_at)}${end}</p>
<div class="about"><section class="card body" aria-label="Description">${body}</section>
<section class="card" aria-labelledby="commits"><h2 id="commits">Commits</h2>
<ul class="commits">${commits.map(commitItem)}</ul></section></div>
<section aria-labelledby="changes"><h2 id="changes">Changes</h2>
${changes(files, diff !== undefined, `/pulls/${row.token}`, hasPages)}</section></main>`,
  });
}

function commitItem({ id, subject, author, time: at }: CommitLine): Html {
  const who = html`<span class="quiet">${author}, ${time(new Date(at))}</span>`;
  return html`<li><code>${id.slice(0, 10)}</code> ${subject} ${who}</li>`;
}

function changes(files: FileDiff[], readable: boolean, link: string, hasPages: boolean): Html {
  if (!readable) return html`<p>These changes are too large to show. Read them with git.</p>`;
  const additions = files.reduce((sum, file) => sum + file.additions, 0);
  const deletions = files.reduce((sum, file) => sum + file.deletions, 0);
  const { view, complete } = renderDiff(files, MAX_LINES);
  const count = `${files.length} ${files.length === 1 ? 'file' : 'files'} changed`;
  const plus = html`<span class="plus">+${additions}</span>`;
  const minus = html`<span class="minus">−${deletions}</span>`;
  const all = html`<a href="${link}.diff">read all of it as text</a>`;
  const asText = html`<a href="${link}.diff">the diff as text</a>`;
  const asPages =
    hasPages && files.some(isPage) ? html` · <a href="${link}/pages">the pages</a>` : '';
  return html`<p class="quiet">${count}, ${plus} ${minus} · ${asText}${asPages}</p>
<div class="review"><nav aria-label="Changed files"><ul>${fileLinks(files)}</ul></nav>
<div>${view}${complete ? '' : html`<p>The rest is left out here: ${all}.</p>`}</div></div>`;
}

function missingPage(page = PAGE): Html {
  const title = 'No such pull request';
  const why = 'The link is incomplete, or the repository was deleted.';
  const content = html`<main id="main"><h1>${title}</h1><p>${why}</p></main>`;
  return page.render({ title, brand: 'Docent', content });
}

function time(at: Date): Html {
  const iso = at.toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}
