import type { FastifyInstance } from 'fastify';
import type { LocalHostContext } from '../../hosts/local/context.ts';
import { maintainRepositories } from '../../hosts/local/maintain-repositories.ts';
import { repeat } from '../../jobs/sweep/repeat.ts';
import { gitRoutes } from './git-routes.ts';
import type { ChangedPages } from './changed-pages.ts';
import { pageRoutes } from './page.ts';
import { localPullRequestRoutes } from './pull-request-routes.ts';

const MAINTAIN_EVERY_MS = 10 * 60_000;

export interface LocalHostPluginOptions extends LocalHostContext {
  /** What workers and people push with; anyone who has it may read and write every repository. */
  token: string;
  /** Shows the changed pages of pull requests. */
  pages?: ChangedPages;
}

/**
 * The built-in repository host: git over HTTP, its JSON companion for workers, and the pages of
 * pull requests.
 */
export async function localHost(
  app: FastifyInstance,
  { token, pages, ...host }: LocalHostPluginOptions,
): Promise<void> {
  await app.register(gitRoutes, { host, token });
  await app.register(localPullRequestRoutes, { host, token });
  await app.register(pageRoutes, { host, pages });
  const maintenance = repeat(
    MAINTAIN_EVERY_MS,
    stopping =>
      maintainRepositories(host, stopping, (repository, error) =>
        app.log.warn({ err: error, repository }, 'a repository could not be tidied'),
      ),
    error => app.log.warn({ err: error }, 'repositories were not tidied'),
  );
  app.addHook('onClose', () => maintenance.stop());
}
