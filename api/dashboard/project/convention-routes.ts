import { MAX_CONVENTION } from '../../../agent/conventions/instruction-file.ts';
import { suggestConventions, type Suggestion } from '../../../agent/conventions/suggestions.ts';
import type { ConventionSuggestion } from '../contract/conventions.ts';
import {
  insertDecision,
  listDecided,
  listReviewRequests,
} from '../../../db/conventions/conventions.ts';
import { Problem } from '../../../shared/errors.ts';
import { createJob } from '../../../jobs/create-job.ts';
import type { DashboardDeps } from '../deps.ts';
import type { Handlers } from '../handlers.ts';
import { readJobView } from '../jobs/job-view.ts';

/** What reviewers ask for again and again, until a person decides about it. */
export function conventionRoutes(deps: DashboardDeps) {
  const { pool } = deps;
  const suggestions = async (projectId: string) =>
    suggestConventions(
      await listReviewRequests(pool, projectId),
      await listDecided(pool, projectId),
    );
  const readSuggestion = async (projectId: string, id: string) => {
    const found = (await suggestions(projectId)).find(suggestion => suggestion.id === id);
    if (!found)
      throw new Problem('not_found', 'There is no such suggestion, or someone has decided it.');
    return found;
  };
  return {
    'GET /projects/:projectId/conventions': async ({ project }) => ({
      suggestions: (await suggestions(project.id)).map(view),
    }),

    'POST /projects/:projectId/conventions/:id/job': async request => {
      const { project, params, body, signedIn } = request;
      const { id, words } = await readSuggestion(project.id, params.id);
      const line = body.text.trim();
      const job = await createJob(deps, {
        project,
        caller: { userId: signedIn.user.id },
        requestId: request.id,
        generation: 'v2',
        instructions: [{ role: 'user', prompt: `Add this line to AGENTS.md: ${line}` }],
        convention: { id, words, line, userId: signedIn.user.id },
        idempotency: undefined,
      });
      return readJobView(deps, project.id, job.id);
    },

    'DELETE /projects/:projectId/conventions/:id': async ({ project, params, signedIn }) => {
      const { id, words } = await readSuggestion(project.id, params.id);
      const { id: userId } = signedIn.user;
      const decision = { id, projectId: project.id, words, line: null, jobId: null, userId };
      await insertDecision(pool, decision);
    },
  } satisfies Partial<Handlers>;
}

function view({ id, requests }: Suggestion): ConventionSuggestion {
  return {
    id,
    line: oneLine(requests.at(-1)?.text ?? ''),
    requests: requests.map(({ jobId, jobTitle, text, createdAt }) => ({
      jobId,
      jobTitle,
      text,
      createdAt: createdAt.toISOString(),
    })),
  };
}

function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_CONVENTION);
}
