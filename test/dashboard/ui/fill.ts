import type { Page } from 'playwright-core';
import type { KeyMade } from '../../../api/dashboard/contract/projects/projects.ts';
import type { Ui } from './harness.ts';

/** Sends JSON as the page would: with its session, from its origin. */
export async function callAs<T>(
  page: Page,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  return await page.evaluate(
    async ([m, p, b]) => {
      const response = await fetch(`/api/dashboard${p}`, {
        method: m,
        ...(m !== 'GET' && { headers: { 'content-type': 'application/json' }, body: b ?? '{}' }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${m} ${p}: ${response.status} ${text}`);
      return (text.startsWith('{') ? JSON.parse(text) : text) as T;
    },
    [method, path, body === undefined ? undefined : JSON.stringify(body)] as const,
  );
}

/** Brings the site's index up to date. */
export async function indexSite(ui: Ui, page: Page): Promise<void> {
  const path = `/projects/${ui.project.id}/index`;
  await callAs(page, 'POST', path);
  for (;;) {
    const { built } = await callAs<{ built: { pages: number } | null }>(page, 'GET', path);
    if (built) return;
    await page.waitForTimeout(200);
  }
}

/**
 * A project with a past: jobs of every outcome, pull requests of every state, questions, keys,
 * members.
 */
export async function fillProject(
  ui: Ui,
  page: Page,
): Promise<{ jobId: string; declinedJobId: string; pull: number }> {
  const base = `/projects/${ui.project.id}`;
  await indexSite(ui, page);
  const started: string[] = [];
  for (const prompt of [
    'Add a page docs/support.md titled "Support" with the text "Write to support@example.com."',
    'Set the description of docs/cost.md to "Short answers"',
    'Write a poem about durable execution.',
    'Rename "pull request" to "change request" in docs/quickstart.md',
  ])
    started.push((await callAs<{ id: string }>(page, 'POST', `${base}/jobs`, { prompt })).id);
  await Promise.all(started.map(id => ui.rest(id)));
  const [merged, closed, declinedJobId, jobId] = started as [string, string, string, string];
  const pullOf = async (id: string) =>
    (await callAs<{ prNumber: number | null }>(page, 'GET', `${base}/jobs/${id}`)).prNumber;
  await callAs(page, 'POST', `${base}/pulls/${await pullOf(merged)}/merge`);
  await callAs(page, 'POST', `${base}/pulls/${await pullOf(closed)}/close`);
  await callAs(page, 'POST', `${base}/jobs/${jobId}/message`, {
    prompt:
      'Add a section "What to read next" to docs/quickstart.md ' +
      'with the text "See [create a job](agent/create-a-job.md)."',
  });
  await ui.rest(jobId);

  const { token } = await callAs<KeyMade>(page, 'POST', `${base}/keys`, {
    kind: 'assistant',
    name: 'Docs site',
    allowedOrigins: [],
    expiresInDays: 365,
  });
  await callAs(page, 'POST', `${base}/keys`, {
    kind: 'admin',
    name: 'Release script',
    expiresInDays: 5,
  });
  const { key: old } = await callAs<KeyMade>(page, 'POST', `${base}/keys`, {
    kind: 'assistant',
    name: 'Old blog',
    allowedOrigins: ['https://blog.example.com'],
  });
  await callAs(page, 'POST', `${base}/keys/${old.id}/revoke`);
  for (const text of [
    'How do I cancel a job?',
    'Which limits does a job have?',
    'Can Docent translate our docs into Klingon?',
    'How do I back up Postgres?',
    'What does a rocket cost?',
  ]) {
    await fetch(`${ui.baseUrl}/discovery/v2/assistant/${ui.project.domain}/message`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        fp: 'anonymous',
        messages: [{ role: 'user', parts: [{ type: 'text', text }] }],
      }),
    }).then(response => response.text());
  }
  await callAs(page, 'POST', `/organizations/acme/invitations`, {
    email: 'grace@example.com',
    role: 'member',
  });
  return { jobId, declinedJobId, pull: (await pullOf(jobId))! };
}
