import type { Command } from 'commander';
import { createLogger } from '../../../shared/logger.ts';
import { unknownSettings } from '../../../shared/unknown-settings.ts';
import { openEmbeddings } from '../../../search/embed.ts';
import { warnOfDatabase } from '../../connect/database.ts';
import { connectedConfig, type Env } from '../../connect/settings.ts';
import { runUntilStopped, type Server } from '../../stack/stop-signals.ts';

/** `docent api`: the API on a machine of its own. Logs JSON to stdout. */
export function registerApi(program: Command, env: Env): void {
  program
    .command('api')
    .description('run the HTTP API')
    .action(() => runUntilStopped(() => start(env)));
}

async function start(env: Env): Promise<Server> {
  const config = connectedConfig(env);
  const port = config.PORT ?? 3000;
  const embed = await openEmbeddings(config);
  const { startApi } = await import('../../stack/start-api.ts');
  const logger = createLogger(config.LOG_LEVEL);
  const PUBLIC_URL = config.PUBLIC_URL ?? `http://${config.HOST}:${port}`;
  for (const sentence of unknownSettings(env)) logger.warn(sentence);
  await warnOfDatabase(config.DATABASE_URL, logger);
  if (!config.LOCAL_HOST_TOKEN)
    logger.warn('LOCAL_HOST_TOKEN is not set: the built-in repository host rejects workers');
  const api = await startApi({ ...config, PUBLIC_URL, PORT: port }, logger, embed);
  return {
    ...api,
    logger,
    waitsFor:
      `requests are accepted for ${config.API_DRAIN_SECONDS} seconds, ` +
      'and those that have begun are answered',
  };
}
