import { join } from 'node:path';
import type { Command } from 'commander';
import { keepHeapTight } from '../../api/listen.ts';
import { ConfigError } from '../../shared/errors.ts';
import { createLogger, type Logger } from '../../shared/logger.ts';
import { openEmbeddings } from '../../shared/search/embed.ts';
import { databaseProblem } from '../connect/database.ts';
import { CommandFailure } from '../output/failure.ts';
import {
  type ConnectedConfig,
  connectedConfig,
  type Env,
  withDatabase,
} from '../connect/settings.ts';
import { untilStopped } from '../stack/stop-signals.ts';
import { print } from '../output/terminal.ts';

/**
 * `docent api`, `docent worker`, `docent migrate`: the parts, for machines of their own. They log
 * JSON to stdout.
 */
export function registerRoles(program: Command, env: Env): void {
  program
    .command('api')
    .description('run the HTTP API')
    .action(async () => {
      const config = connectedConfig(env);
      const port = config.PORT ?? 3000;
      const embed = await openEmbeddings(config);
      const { startApi } = await import('../stack/api-and-worker.ts');
      keepHeapTight();
      const logger = createLogger(config.LOG_LEVEL);
      const PUBLIC_URL = config.PUBLIC_URL ?? `http://${config.HOST}:${port}`;
      await warnOfDatabase(config, logger);
      if (!config.LOCAL_HOST_TOKEN)
        logger.warn('LOCAL_HOST_TOKEN is not set: the built-in repository host refuses workers');
      await runRole(await startApi({ ...config, PUBLIC_URL, PORT: port }, logger, embed));
    });

  program
    .command('worker')
    .description('run a worker')
    .action(async () => {
      const config = connectedConfig(env);
      if (
        config.MODEL_PROVIDER !== 'offline' &&
        !config.ANTHROPIC_API_KEY &&
        !config.ANTHROPIC_BASE_URL
      ) {
        throw new ConfigError(
          'ANTHROPIC_API_KEY is not set. Set it, or ask for the rule-based offline model with MODEL_PROVIDER=offline.',
        );
      }
      const embed = await openEmbeddings(config);
      const [{ startWorker }, { chooseModel }, { workflowBundle }] = await Promise.all([
        import('../stack/api-and-worker.ts'),
        import('../stack/services.ts'),
        import('../stack/workflow-bundle.ts'),
      ]);
      const model = await chooseModel(config);
      try {
        const bundlePath = await workflowBundle(join(config.DATA_DIR, 'cache'));
        const logger = createLogger(config.LOG_LEVEL);
        await warnOfDatabase(config, logger);
        const worker = await startWorker(
          { ...config, ...model.settings },
          logger,
          bundlePath,
          embed,
        );
        const modelEnded = model.service?.exited.then(
          () => new Error('The offline model ended by itself.'),
        );
        await runRole({
          failed: modelEnded ? Promise.race([worker.failed, modelEnded]) : worker.failed,
          stop: () => worker.stop(),
        });
      } finally {
        await model.service?.stop();
      }
    });

  program
    .command('migrate')
    .description('bring the database up to date')
    .action(async () => {
      const { migrate } = await import('../../shared/db/migrate.ts');
      const applied = await withDatabase(env, pool => migrate(pool));
      print(
        applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}.`,
      );
    });
}

/** These two may start before their database does: they wait for it. */
async function warnOfDatabase(config: ConnectedConfig, logger: Logger): Promise<void> {
  const problem = await databaseProblem(config.DATABASE_URL);
  if (problem !== undefined) logger.warn(problem);
}

async function runRole(role: { failed: Promise<Error>; stop(): Promise<void> }): Promise<void> {
  const reason = await untilStopped(role.failed.then(error => error.message));
  await role.stop();
  if (reason) throw new CommandFailure(reason);
}
