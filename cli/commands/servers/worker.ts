import { join } from 'node:path';
import type { Command } from 'commander';
import { ConfigError } from '../../../shared/errors.ts';
import { createLogger } from '../../../shared/logger.ts';
import { hasModel } from '../../../shared/models/model-client.ts';
import { openEmbeddings } from '../../../shared/search/embed.ts';
import { warnOfDatabase } from '../../connect/database.ts';
import { connectedConfig, type Env } from '../../connect/settings.ts';
import { runUntilStopped } from '../../stack/stop-signals.ts';
import { reportToParent } from '../../stack/worker-process.ts';

/** `docent worker`: a worker on a machine of its own, or that of `docent start`. Logs JSON to stdout. */
export function registerWorker(program: Command, env: Env): void {
  program
    .command('worker')
    .description('run a worker')
    .action(async () => {
      const config = connectedConfig(env);
      if (!hasModel(config))
        throw new ConfigError(
          'ANTHROPIC_API_KEY is not set. Set it, ' +
            'or use the rule-based offline model with MODEL_PROVIDER=offline.',
        );
      const embed = await openEmbeddings(config);
      const [{ startConfiguredWorker }, { chooseModel }, { workflowBundle }] = await Promise.all([
        import('../../stack/start-worker.ts'),
        import('../../stack/services.ts'),
        import('../../stack/workflow-bundle.ts'),
      ]);
      const model = await chooseModel(config);
      try {
        const bundle = await workflowBundle(join(config.DATA_DIR, 'cache'));
        const logger = createLogger(config.LOG_LEVEL);
        await warnOfDatabase(config.DATABASE_URL, logger);
        const settings = { ...config, ...model.settings };
        const worker = await startConfiguredWorker(settings, logger, bundle, embed);
        reportToParent();
        const failures = [worker.failed, ...(model.service ? [ended(model.service)] : [])];
        await runUntilStopped({
          failed: Promise.race(failures),
          stop: () => worker.stop(),
        });
      } finally {
        await model.service?.stop();
      }
    });
}

async function ended(offlineModel: { exited: Promise<unknown> }): Promise<Error> {
  await offlineModel.exited;
  return new Error('The offline model ended by itself.');
}
