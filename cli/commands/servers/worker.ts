import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { ConfigError } from '../../../shared/errors.ts';
import { createLogger } from '../../../shared/logger.ts';
import { hasModel } from '../../../shared/models/model-client.ts';
import { unknownSettings } from '../../../shared/unknown-settings.ts';
import { openEmbeddings } from '../../../search/embed.ts';
import { warnOfDatabase } from '../../connect/database.ts';
import { type ConnectedConfig, connectedConfig, type Env } from '../../connect/settings.ts';
import { runUntilStopped } from '../../stack/stop-signals.ts';
import { settingsFromParent, tellParentThatWePoll } from '../../stack/worker-process.ts';

/** `docent worker`: a worker on a machine of its own, or that of `docent start`. Logs JSON to stdout. */
export function registerWorker(program: Command, env: Env): void {
  program
    .command('worker')
    .description('run a worker')
    .addOption(new Option('--settings-from-parent', 'as docent start does').hideHelp())
    .action(async (options: { settingsFromParent?: boolean }) => {
      if (!options.settingsFromParent)
        return await work(connectedConfig(env), unknownSettings(env));
      const settings = settingsFromParent();
      await loadCode();
      await work(connectedConfig({ ...env, ...(await settings) }));
    });
}

async function work(config: ConnectedConfig, warnings: string[] = []): Promise<void> {
  if (!hasModel(config))
    throw new ConfigError(
      'ANTHROPIC_API_KEY is not set. Set it, ' +
        'or use the rule-based offline model with MODEL_PROVIDER=offline.',
    );
  const embed = await openEmbeddings(config);
  const [{ startConfiguredWorker }, { chooseModel }, { workflowBundle }] = await loadCode();
  const model = await chooseModel(config);
  try {
    const bundle = await workflowBundle(join(config.DATA_DIR, 'cache'));
    const logger = createLogger(config.LOG_LEVEL);
    for (const sentence of warnings) logger.warn(sentence);
    await warnOfDatabase(config.DATABASE_URL, logger);
    const settings = { ...config, ...model.settings };
    const worker = await startConfiguredWorker(settings, logger, bundle, embed);
    tellParentThatWePoll();
    const failures = [worker.failed, ...(model.service ? [ended(model.service)] : [])];
    await runUntilStopped({
      failed: Promise.race(failures),
      stop: () => worker.stop(),
    });
  } finally {
    await model.service?.stop();
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
