import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { OFFLINE_MODEL } from '../../shared/agent-text.ts';
import type { Config } from '../../shared/config.ts';
import { ConfigError } from '../../shared/errors.ts';
import { hasModel } from '../../shared/models/model-client.ts';
import { type EmbeddedOfflineModel, startOfflineModel } from '../embedded/offline-model.ts';
import { freePort, type HeldPort, holdPort, portTaken } from '../embedded/ports.ts';
import { startPostgres } from '../embedded/postgres.ts';
import { foundPortTaken, startTemporal } from '../embedded/temporal.ts';
import { obtainTemporalCli } from '../embedded/temporal-cli.ts';
import type { Logger } from '../../shared/logger.ts';
import type { DemoEnv } from './demo-env.ts';
import { supervise } from './supervise.ts';
import { ensureEncryptionKey } from '../connect/encryption-key.ts';
import type { ConnectedConfig } from '../connect/settings.ts';

export interface Services {
  /** The settings, with the addresses of the started services. */
  config: ConnectedConfig & {
    PORT: number;
    PUBLIC_URL: string;
    LOCAL_HOST_URL: string;
    LOCAL_HOST_TOKEN: string;
  };
  temporalUiUrl: string;
  temporalCli: string;
  /** The API's port, reserved while the services start. */
  apiPort: HeldPort;
  /** Where it is said that a service ended by itself and was started again. */
  logTo(logger: Logger): void;
  /** Stops the services in reverse order. */
  stop(): Promise<void>;
}

interface Started {
  stop(): Promise<void>;
  exited: Promise<unknown>;
}

/**
 * Starts the services that have no address in the configuration: Postgres, Temporal's development
 * server, and the offline model if there is no key for a real one. `previous` is the last start's
 * demo.env: its ports are used again if they are free, so that old links keep working.
 */
export async function startServices(
  config: Config,
  previous: Partial<DemoEnv>,
  searchPath: string,
  notify: (sentence: string) => void,
): Promise<Services> {
  const started: { stop(): Promise<void> }[] = [];
  let logger: Logger | undefined;
  const apiPort = await holdApiPort(config, previous, notify);
  const stop = async () => {
    await apiPort.release();
    for (const service of started.splice(0).reverse()) await service.stop();
  };
  const keep: Keep = (name, service, again) => {
    const part = ({ exited, stop: end }: Started) => ({ ended: exited, stop: () => end() });
    const restart = async () => part(await again());
    started.push(supervise(name, part(service), restart, () => logger));
    return service;
  };
  try {
    const temporalCli = await temporalCliFor(config, searchPath, notify);
    const [postgres, temporal, model] = await settled([
      postgresFor(config, keep),
      temporalFor(config, previous, temporalCli, keep),
      modelFor(config, keep),
    ] as const);
    return {
      config: {
        ...config,
        ...model,
        ...ownAddresses(config, apiPort.port),
        DATABASE_URL: postgres.url,
        TEMPORAL_ADDRESS: temporal.address,
        ...(temporal.uiUrl && { TEMPORAL_UI_URL: temporal.uiUrl }),
        ...(temporalCli && { TEMPORAL_CLI_PATH: temporalCli }),
      },
      temporalUiUrl: temporal.uiUrl,
      temporalCli,
      apiPort,
      logTo(to) {
        logger = to;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The path of the Temporal CLI; empty if the server is not ours to start. */
async function temporalCliFor(
  config: Config,
  searchPath: string,
  notify: (sentence: string) => void,
): Promise<string> {
  if (config.TEMPORAL_ADDRESS) return '';
  const configured = config.TEMPORAL_CLI_PATH;
  return await obtainTemporalCli({ searchPath, notify, ...(configured && { configured }) });
}

/** Keeps a started service running, by starting it `again` at its addresses, until it is stopped. */
type Keep = <T extends Started>(name: string, service: T, again: () => Promise<Started>) => T;

async function postgresFor(config: Config, keep: Keep): Promise<{ url: string }> {
  if (config.DATABASE_URL) return { url: config.DATABASE_URL };
  const port = await freePort(config.HOST);
  const start = () => embeddedPostgres(config, port);
  return keep('Postgres', await start(), start);
}

async function temporalFor(
  config: Config,
  previous: Partial<DemoEnv>,
  cliPath: string,
  keep: Keep,
): Promise<{ address: string; uiUrl: string }> {
  if (config.TEMPORAL_ADDRESS)
    return { address: config.TEMPORAL_ADDRESS, uiUrl: config.TEMPORAL_UI_URL ?? '' };
  const temporal = await embeddedTemporal(config, previous, cliPath);
  return keep('Temporal', temporal, () => temporal.again());
}

async function modelFor(config: Config, keep: Keep): Promise<Partial<Config>> {
  const { settings, service } = await chooseModel(config);
  if (service)
    keep('The offline model', service, () =>
      startOfflineModel({ ...offlineModel(config), port: Number(new URL(service.url).port) }),
    );
  return settings;
}

function ownAddresses(config: Config, port: number) {
  const host = config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST;
  const url = `http://${host}:${port}`;
  return {
    PORT: port,
    PUBLIC_URL: config.PUBLIC_URL ?? url,
    LOCAL_HOST_URL: config.LOCAL_HOST_URL ?? url,
    LOCAL_HOST_TOKEN: config.LOCAL_HOST_TOKEN ?? randomBytes(24).toString('hex'),
    ENCRYPTION_KEY: config.ENCRYPTION_KEY ?? ensureEncryptionKey(config.DATA_DIR),
  };
}

/**
 * Like `Promise.all`, but waits for all of them before it fails: a service that starts late must be
 * stopped too.
 */
async function settled<T extends readonly unknown[]>(
  promises: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(promises);
  return await Promise.all(promises);
}

async function holdApiPort(
  config: Config,
  previous: Partial<DemoEnv>,
  notify: (sentence: string) => void,
): Promise<HeldPort> {
  const usual = config.PORT ?? portOf(previous.BASE_URL) ?? 3000;
  const held = await holdPort(config.HOST, usual);
  if (config.PORT && held.port !== config.PORT) {
    await held.release();
    throw portTaken(config.HOST, config.PORT, 'leave PORT out to use a free one');
  }
  if (usual > 0 && held.port !== usual)
    notify(
      `Port ${usual} is taken on ${config.HOST}: Docent uses ${held.port} from now on. ` +
        `To go back, stop what listens there and start with PORT=${usual}.`,
    );
  return held;
}

async function embeddedPostgres(config: Config, port: number) {
  return await startPostgres({
    folder: join(config.DATA_DIR, 'postgres'),
    logFile: join(config.DATA_DIR, 'logs', 'postgres.log'),
    host: config.HOST,
    port,
    durable: true,
  });
}

async function embeddedTemporal(config: Config, previous: Partial<DemoEnv>, cliPath: string) {
  const [port, uiPort] = await Promise.all([
    holdPort(
      config.HOST,
      portOf(previous.TEMPORAL_ADDRESS && `tcp://${previous.TEMPORAL_ADDRESS}`) ?? 7233,
    ),
    holdPort(config.HOST, portOf(previous.TEMPORAL_UI_URL) ?? 8233),
  ]);
  const options = {
    cliPath,
    databaseFile: join(config.DATA_DIR, 'temporal.sqlite'),
    logFile: join(config.DATA_DIR, 'logs', 'temporal.log'),
    host: config.HOST,
  };
  await Promise.all([port.release(), uiPort.release()]);
  let ports = { port: port.port, uiPort: uiPort.port };
  const start = () => startTemporal({ ...options, ...ports });
  const server = await start()
    // Another process may have taken the port after we released it.
    .catch(async (error: Error) => {
      if (!(await foundPortTaken(options.logFile))) throw error;
      ports = { port: await freePort(config.HOST), uiPort: await freePort(config.HOST) };
      return await start();
    });
  return { ...server, again: start };
}

/**
 * The model's settings: the real model if there is a key or a URL for it; otherwise the offline
 * model, in a process of its own. Only `docent start` falls back to it by default.
 */
export async function chooseModel(
  config: Config,
): Promise<{ settings: Partial<Config>; service?: EmbeddedOfflineModel }> {
  if (config.MODEL_PROVIDER !== 'offline' && hasModel(config)) return { settings: {} };
  if (config.MODEL_PROVIDER === 'anthropic')
    throw new ConfigError('MODEL_PROVIDER is anthropic, but ANTHROPIC_API_KEY is not set.');
  if (config.MODEL_PROVIDER === 'offline' && config.ANTHROPIC_BASE_URL)
    return { settings: { ANTHROPIC_API_KEY: OFFLINE_MODEL } };
  const service = await startOfflineModel(offlineModel(config));
  return {
    settings: {
      MODEL_PROVIDER: 'offline',
      ANTHROPIC_BASE_URL: service.url,
      ANTHROPIC_API_KEY: OFFLINE_MODEL,
    },
    service,
  };
}

function offlineModel({ DATA_DIR: folder }: Config) {
  return { logFile: join(folder, 'logs', 'offline-model.log'), host: '127.0.0.1' };
}

function portOf(url: string | undefined): number | undefined {
  const port = url ? Number(new URL(url).port) : 0;
  return port > 0 ? port : undefined;
}
