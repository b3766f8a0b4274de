import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { parseEnv } from 'node:util';
import { type ConnectedConfig, connectedConfig, type Env } from '../../cli/connect/settings.ts';
import { CommandFailure, EXIT } from '../../cli/output/failure.ts';
import { startWorkerProcess } from '../../cli/stack/worker-process.ts';

/** Settings that say which model answers: a file of an endpoint has no others. */
const OF_MODELS = /^(?:ANTHROPIC|MODEL)_[A-Z_]+$|^(?:AWS|CLOUD_ML)_REGION$/;

/** One of the endpoints that cases are run against, each by a worker of its own. */
export interface Endpoint {
  name: string;
  /** As the report names it: without its key. */
  address: string;
  config: ConnectedConfig;
  env: Env;
}

/**
 * Comma-separated files of settings, such as `vllm.env,llama.env`; of our own settings, those of
 * the model do not count beside them. Throws `CommandFailure` and `ConfigError`.
 */
export async function readEndpoints(files: string, env: Env): Promise<Endpoint[]> {
  const others = Object.entries(env).filter(([name]) => !OF_MODELS.test(name));
  const endpoints = await Promise.all(
    files.split(',').map(async (file): Promise<Endpoint> => {
      const name = basename(file.trim()).replace(/\.env$/, '');
      const text = await readFile(file.trim(), 'utf8').catch(() => {
        throw new CommandFailure(`${file} cannot be read.`, EXIT.usage);
      });
      const settings = parseEnv(text);
      const foreign = Object.keys(settings).find(setting => !OF_MODELS.test(setting));
      if (foreign !== undefined)
        throw new CommandFailure(
          `${file} sets ${foreign}: it may set only ANTHROPIC_… and MODEL_….`,
          EXIT.usage,
        );
      const merged: Env = { ...Object.fromEntries(others), ...settings };
      const { METRICS_PORT: _other, ...config } = connectedConfig(merged);
      const address = config.ANTHROPIC_BASE_URL ?? config.MODEL_PROVIDER ?? 'anthropic';
      return { name, address: addressWithoutUser(address), config, env: merged };
    }),
  );
  if (new Set(endpoints.map(({ name }) => name)).size < endpoints.length)
    throw new CommandFailure('Two endpoints have files of one name.', EXIT.usage);
  return endpoints;
}

function addressWithoutUser(address: string): string {
  return address.replace(/\/\/[^/@]*@/, '//');
}

export interface EndpointWorker {
  config: ConnectedConfig;
  /** Rejects when it ends. */
  failed: Promise<never>;
  stop(): Promise<void>;
}

/** Starts a worker that calls the endpoint, for the jobs of one run alone. */
export async function startEndpointWorker(
  { name, config, env }: Endpoint,
  runId: string,
): Promise<EndpointWorker> {
  const own = { ...config, TASK_QUEUE: `${config.TASK_QUEUE}-eval-${runId}` };
  const worker = await startWorkerProcess(own, env, `worker-eval-${runId}.log`);
  await worker.work(own);
  return {
    config: own,
    failed: worker.ended.then((): never => {
      throw new CommandFailure(`The worker of ${name} ended; see the logs in ${own.DATA_DIR}.`);
    }),
    stop: () => worker.stop(),
  };
}
