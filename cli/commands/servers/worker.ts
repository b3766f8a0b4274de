import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { ConfigError } from '../../../shared/errors.ts';
import { createLogger } from '../../../shared/logger.ts';
import { hasModel } from '../../../shared/models/model-client.ts';
import { unknownSettings } from '../../../shared/unknown-settings.ts';
import { openEmbeddings } from '../../../search/embed.ts';
import { warnOfDatabase } from '../../connect/database.ts';
import { type ConnectedConfig, connectedConfig, type Env } from '../../connect/settings.ts';
import { runUntilStopped, type Server } from '../../stack/stop-signals.ts';
import { settingsFromParent, tellParentThatWePoll } from '../../stack/worker-process.ts';

/** `docent worker`: a worker on a machine of its own, or that of `docent start`. Logs JSON to stdout. */
export function registerWorker(program: Command, env: Env): void {
  program
    .command('worker')
    .description('run a worker')
    .addOption(new Option('--settings-from-parent', 'as docent start does').hideHelp())
    .action((options: { settingsFromParent?: boolean }) =>
      runUntilStopped(async () => {
        if (!options.settingsFromParent)
          return await start(connectedConfig(env), unknownSettings(env));
        const settings = settingsFromParent();
        await loadCode();
        return await start(connectedConfig({ ...env, ...(await settings) }));
      }),
    );
}

async function start(config: ConnectedConfig, warnings: string[] = []): Promise<Server> {
  if (!hasModel(config))
    throw new ConfigError(
      'ANTHROPIC_API_KEY is not set. Set it, ' +
        'or use the rule-based offline model with MODEL_PROVIDER=offline.',
    );
  const embed = await openEmbeddings(config);
  const [{ startConfiguredWorker }, { chooseModel }, { workflowBundle }] = await loadCode();
  const { settings, service: model } = await chooseModel(config);
  try {
    const bundle = await workflowBundle(join(config.DATA_DIR, 'cache'));
    const logger = createLogger(config.LOG_LEVEL);
    for (const sentence of warnings) logger.warn(sentence);
    await warnOfDatabase(config.DATABASE_URL, logger);
    const worker = await startConfiguredWorker({ ...config, ...settings }, logger, bundle, embed);
    tellParentThatWePoll();
    return {
      failed: model ? Promise.race([worker.failed, ended(model)]) : worker.failed,
      stop: async () => {
        await worker.stop();
        await model?.stop();
      },
      logger,
      waitsFor:
        `activities have ${config.WORKER_SHUTDOWN_GRACE_SECONDS} seconds to finish, ` +
        'and jobs continue at the next worker',
    };
  } catch (error) {
    await model?.stop();
    throw error;
  }
}

async function loadCode() {
  return await Promise.all([
    import('../../stack/start-worker.ts'),
    import('../../stack/services.ts'),
    import('../../stack/workflow-bundle.ts'),
  ]);
}

async function ended(offlineModel: { exited: Promise<unknown> }): Promise<Error> {
  await offlineModel.exited;
  return new Error('The offline model ended by itself.');
}
