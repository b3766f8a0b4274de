import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Pool, Queryable } from '../../db/pool.ts';
import type { ApiKey } from '../../db/projects/keys.ts';
import { type Project, findProject, findProjectByDomain } from '../../db/projects/projects.ts';
import { Problem } from '../../shared/errors.ts';
import { isPlainId } from '../../shared/ids.ts';
import { NO_KEY, unauthorized } from './auth.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The project that the path names, on routes below a project. */
    project: Project;
  }
}

/**
 * Puts the project of `:projectId` on every request of a scope. 404 if the key's organization has
 * no such project.
 */
export function requireAgentProject(scope: FastifyInstance, pool: Pool): void {
  scope.decorateRequest('project');
  scope.addHook('preHandler', async request => {
    request.project = await agentProject(pool, request.apiKey, pathParameter(request, 'projectId'));
  });
}

/** Puts the project of `:domain` on every request of a scope; answers 404 and 403. */
export function requireAssistantProject(scope: FastifyInstance, db: Queryable): void {
  scope.decorateRequest('project');
  scope.addHook('preHandler', async request => {
    request.project = await assistantProject(db, request.apiKey, pathParameter(request, 'domain'));
  });
}

/**
 * Puts the project of `:domain` on every request of a scope of routes for readers: with a key as
 * `requireAssistantProject`, without one only if the project is public. Whether a private one
 * exists is not told: 401.
 */
export function requireReadableProject(scope: FastifyInstance, db: Queryable): void {
  scope.decorateRequest('project');
  scope.addHook('preHandler', async request => {
    const domain = pathParameter(request, 'domain');
    const key = request.apiKey as ApiKey | undefined;
    if (key) request.project = await assistantProject(db, key, domain);
    else {
      const project = isPlainId(domain) ? await findProjectByDomain(db, domain) : undefined;
      if (!project?.public) throw unauthorized(NO_KEY);
      request.project = project;
    }
  });
}

/** A parameter that the route's schema has checked. */
export function pathParameter(request: FastifyRequest, name: string): string {
  return (request.params as Record<string, string>)[name]!;
}

async function agentProject(pool: Pool, key: ApiKey, projectId: string): Promise<Project> {
  const project = isPlainId(projectId) ? await findProject(pool, projectId) : undefined;
  if (!project || project.organizationId !== key.organizationId)
    throw new Problem('not_found', 'There is no such project.');
  return project;
}

/** 404 if the organization has no such domain, 403 if the key is for another one. */
async function assistantProject(db: Queryable, key: ApiKey, domain: string): Promise<Project> {
  const project = isPlainId(domain) ? await findProjectByDomain(db, domain) : undefined;
  if (!project || project.organizationId !== key.organizationId)
    throw new Problem('not_found', 'There is no such domain.');
  if (project.id !== key.projectId)
    throw new Problem('forbidden', 'This API key belongs to another domain.');
  return project;
}
