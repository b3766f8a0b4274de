import type { FastifyInstance } from 'fastify';
import type { LocalPullRequestRow } from '../../shared/db/local-host/local-host.ts';
import { Problem } from '../../shared/errors.ts';
import type { LocalHostContext } from '../../hosts/local/context.ts';
import type { CommitLine } from '../../hosts/hosted-pull-requests.ts';
import { readCommits, readDiff } from '../../hosts/local/diff.ts';
import { type FileDiff, parseDiff, renderDiff } from './diff-view.ts';
import { Html, html } from './html.ts';
import { renderMarkdown } from './markdown-view.ts';
import { CONTENT_SECURITY_POLICY, STYLE } from './page-style.ts';
import { pullRequestByToken } from '../../hosts/local/pull-requests.ts';

const MAX_LINES = 5_000;

/**
 * A pull request's page at `/pulls/<token>`, and its diff at `/pulls/<token>.diff`. Whoever has the
 * link may read.
 */
export async function pageRoutes(
  app: FastifyInstance,
  { host }: { host: LocalHostContext },
): Promise<void> {
  app.addHook('onSend', async (_request, reply) => {
    reply.headers({
      'content-security-policy': CONTENT_SECURITY_POLICY,
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
        .send(pullRequestPage(row, commits, diff).markup);
    },
  );
}

function diffOf(host: LocalHostContext, row: LocalPullRequestRow): Promise<string> {
  return readDiff(host, row.repository, row.base_commit, row.head_commit);
}

function pullRequestPage(
  row: LocalPullRequestRow,
  commits: CommitLine[],
  diff: string | undefined,
): Html {
  const state = row.state === 'open' && row.draft ? 'draft' : row.state;
  const files = diff === undefined ? [] : parseDiff(diff);
  return document(
    `${row.title} · #${row.number}`,
    html` <h1>${row.title} <span class="number">#${row.number}</span></h1>
      <p class="about">
        <span class="state ${state}">${state[0]?.toUpperCase() ?? ''}${state.slice(1)}</span>
        <code>${row.head}</code> into <code>${row.base}</code> of
        <strong>${row.repository}</strong>, opened
        ${time(row.created_at)}${row.closed_at ? html`, ${row.state} ${time(row.closed_at)}` : ''}
      </p>
      <div class="body">
        ${row.body.trim() ? renderMarkdown(row.body) : html`<p class="quiet">No description.</p>`}
      </div>
      <h2>Commits</h2>
      <ul class="commits">
        ${commits.map(commit => html`<li><code>${commit.id.slice(0, 10)}</code> ${commit.subject} <span class="quiet">${commit.author}, ${time(new Date(commit.time))}</span></li>`)}
      </ul>
      <h2>Changes</h2>
      ${changes(files, diff !== undefined, `/pulls/${row.token}.diff`)}`,
  );
}

function changes(files: FileDiff[], readable: boolean, link: string): Html {
  if (!readable) return html`<p>These changes are too large to show. Read them with git.</p>`;
  const additions = files.reduce((sum, file) => sum + file.additions, 0);
  const deletions = files.reduce((sum, file) => sum + file.deletions, 0);
  const { view, complete } = renderDiff(files, MAX_LINES);
  return html`<p class="quiet">
      ${files.length} ${files.length === 1 ? 'file' : 'files'} changed,
      <span class="plus">+${additions}</span> <span class="minus">−${deletions}</span> ·
      <a href="${link}">the diff as text</a>
    </p>
    ${view}${complete ? '' : html`<p>The rest is left out here: <a href="${link}">read all of it as text</a>.</p>`}`;
}

function missingPage(): Html {
  return document(
    'No such pull request',
    html`<h1>No such pull request</h1>
      <p>The link is incomplete, or the repository was deleted.</p>`,
  );
}

function document(title: string, content: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>
          ${new Html(STYLE)}
        </style>
      </head>
      <body>
        <main>${content}</main>
      </body>
    </html> `;
}

function time(at: Date): Html {
  const iso = at.toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}
