import { randomBytes } from 'node:crypto';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { holdPort } from '../../cli/embedded/ports.ts';
import { startPostgres } from '../../cli/embedded/postgres.ts';
import { obtainTemporalCli } from '../../cli/embedded/temporal-cli.ts';
import { chooseModel } from '../../cli/stack/services.ts';
import { readConfig } from '../../shared/config.ts';
import { type Compose, ofEnvFile, readCompose } from './compose.ts';
import { type Addresses, type Planned, planCluster, TEMPORAL_PORTS } from './plan.ts';
import { answers, docentCommand, type Place, runToEnd, startProcess } from './processes.ts';
import { startReverseProxy } from './proxy.ts';
import { Running } from './running.ts';
import { obtainTemporalServer } from './temporal-server.ts';

const HOST = '127.0.0.1';
/** As `stop_grace_period` in docker-compose.yml. */
const STOP_MS = 60_000;

export interface ClusterOptions {
  /** Holds everything; Postgres must be able to enter it. */
  folder: string;
  apis: number;
  workers: number;
  /** Of the proxy; another one if it is taken. */
  port: number;
  cacheFolder: string;
  /** Where to look for the Temporal CLI and Go, and what .env holds beside docker-compose.yml. */
  env: Record<string, string | undefined>;
  /** Path of temporal-server, instead of building it. */
  temporalServer?: string;
  /** Of a server that runs; then none is started. */
  temporalAddress?: string;
  /** For our process with that name (`api-1`), on top of those of docker-compose.yml. */
  settings?: (name: string) => Record<string, string>;
  notify: (sentence: string) => void;
}

export interface Cluster {
  /** Of the proxy. */
  url: string;
  databaseUrl: string;
  temporalAddress: string;
  temporalVersion: string;
  /** The settings of an API, for `docent` commands: `node --env-file=… bin/docent.mjs …`. */
  envFile: string;
  env: Record<string, string>;
  /** Of the processes by name; the proxy is in this one. */
  pids: Record<string, number>;
  stop(): Promise<void>;
}

/** Starts all services of docker-compose.yml without containers, in its order. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const running = new Running(options.notify);
  try {
    return await start(options, running);
  } catch (error) {
    await running.stop();
    throw error;
  }
}

type Plan = ReturnType<typeof planCluster>;

async function start(options: ClusterOptions, running: Running): Promise<Cluster> {
  const proxyPort = await holdPort(HOST, options.port);
  running.add(() => proxyPort.release());
  const values = await composeValues(options, running, proxyPort.port);
  const compose = await readCompose(values);
  const temporalPorts = await holdTemporalPorts();
  running.add(temporalPorts.release);
  const addresses = await chooseAddresses(options, temporalPorts.ports);
  const plan = planCluster(compose, addresses, options.folder);
  const password = values.POSTGRES_PASSWORD;
  const { url: databaseUrl } = await startDatabase(options, running, {
    port: addresses.postgres,
    settings: plan.postgres,
    password,
  });
  const place = await preparePlace(options, compose);
  const { temporalAddress } = options;
  if (temporalAddress)
    for (const each of [plan.namespace, plan.migrate, ...plan.apis, ...plan.workers])
      each.env['TEMPORAL_ADDRESS'] = temporalAddress;
  else {
    await prepareTemporal(plan, compose, place);
    await temporalPorts.release();
    await startTemporal(plan, place, running);
  }
  const [command = '', ...args] = plan.namespace.args;
  await runToEnd(plan.namespace, { command, args }, place);
  await startOurs(plan, addresses, options, place, running);
  await proxyPort.release();
  const proxy = await startReverseProxy({ host: HOST, port: proxyPort.port }, addresses.apis);
  running.add(proxy.close);
  const env = plan.apis[0]?.env ?? {};
  const envFile = join(options.folder, 'docent.env');
  await writeFile(envFile, envText(env), { mode: 0o600 });
  return {
    url: proxy.url,
    databaseUrl,
    temporalAddress: temporalAddress ?? `${HOST}:${addresses.temporal['FRONTEND_GRPC_PORT']}`,
    temporalVersion: temporalAddress ? '' : (compose.services['temporal']?.imageTag ?? ''),
    ...{ env, envFile, pids: running.pids },
    stop: () => running.stop(),
  };
}

/** What .env holds for docker-compose.yml; without a model, that of the offline model. */
async function composeValues({ env, folder }: ClusterOptions, running: Running, port: number) {
  const model = await chooseModel(readConfig({ ...env, DATA_DIR: folder }));
  if (model.service) running.add(() => model.service!.stop());
  return {
    ...ofEnvFile(env),
    ...(model.settings as Record<string, string>),
    ENCRYPTION_KEY: env['ENCRYPTION_KEY'] ?? randomBytes(24).toString('hex'),
    POSTGRES_PASSWORD: randomBytes(24).toString('hex'),
    LOCAL_HOST_TOKEN: randomBytes(24).toString('hex'),
    PUBLIC_URL: `http://${HOST}:${port}`,
    TRUSTED_PROXIES: HOST,
  };
}

async function chooseAddresses(
  { apis, workers }: ClusterOptions,
  temporal: Record<string, number>,
): Promise<Addresses> {
  const free = await Promise.all(
    Array.from({ length: 1 + apis + workers }, () => holdPort(HOST, 0)),
  );
  await Promise.all(free.map(held => held.release()));
  const ports = free.map(({ port }) => port);
  return {
    ...{ host: HOST, temporal },
    postgres: ports.shift() as number,
    apis: ports.splice(0, apis),
    workers: ports,
  };
}

/**
 * Temporal's own ports, or all of them moved up until none is taken; held until its server starts,
 * so that another cluster does not choose them meanwhile. Any free ports would not do: its table of
 * members keeps a port in 15 bits.
 */
async function holdTemporalPorts(): Promise<{
  ports: Record<string, number>;
  release(): Promise<void>;
}> {
  for (let up = 0; up < 20_000; up += 100) {
    const wanted = Object.entries(TEMPORAL_PORTS).map(([name, port]) => [name, port + up] as const);
    const held = await Promise.all(wanted.map(([, port]) => holdPort(HOST, port)));
    const release = async () => void (await Promise.all(held.map(each => each.release())));
    if (wanted.every(([, port], i) => held[i]?.port === port))
      return { ports: Object.fromEntries(wanted), release };
    await release();
  }
  throw new Error('Temporal finds no free ports from 6933 to 27243.');
}

async function startDatabase(
  { folder }: ClusterOptions,
  running: Running,
  how: { port: number; settings: Record<string, string>; password: string },
) {
  const database = () =>
    startPostgres({
      folder: join(folder, 'postgres'),
      logFile: join(folder, 'logs', 'postgres.log'),
      ...{ host: HOST, durable: true, ...how },
    });
  let url = '';
  await running.keep('postgres', async () => {
    const { exited, stop, pid, ...rest } = await database();
    url = rest.url;
    return { pid, ended: exited, stop: () => stop() };
  });
  return { url };
}

/** A folder with the programs that the services name. */
async function preparePlace(options: ClusterOptions, compose: Compose): Promise<Place> {
  const { cacheFolder, env, notify, folder } = options;
  const configured = env['TEMPORAL_CLI_PATH'];
  const cli = await obtainTemporalCli({
    ...{ searchPath: env['PATH'] ?? '', notify, cacheFolder },
    ...(configured && { configured }),
  });
  const programs: Record<string, string> = { temporal: cli };
  if (!options.temporalAddress) {
    const version = compose.services['temporal']?.imageTag ?? '';
    const given = options.temporalServer;
    const server = await obtainTemporalServer({
      ...{ version, cacheFolder, env, notify },
      ...(given && { given }),
    });
    for (const name of ['temporal-server', 'temporal-sql-tool'])
      programs[name] = join(server, name);
  }
  const bin = join(folder, 'bin');
  await mkdir(bin);
  for (const [name, path] of Object.entries(programs)) await symlink(path, join(bin, name));
  return { folder, path: `${bin}:${env['PATH'] ?? ''}` };
}

/** Its schema in Postgres, and the file with its dynamic settings. */
async function prepareTemporal(
  { schema, temporal }: Plan,
  compose: Compose,
  place: Place,
): Promise<void> {
  const [command = '', ...args] = schema.args;
  await runToEnd(schema, { command, args }, place);
  const dynamic = temporal.env['DYNAMIC_CONFIG_FILE_PATH'] as string;
  await mkdir(join(place.folder, 'temporal'));
  await writeFile(dynamic, compose.configs['temporal-dynamic'] ?? '');
}

async function startTemporal({ temporal }: Plan, place: Place, running: Running): Promise<void> {
  const address = `${HOST}:${temporal.env['FRONTEND_GRPC_PORT']}`;
  const server = { command: join(place.folder, 'bin', 'temporal-server'), args: ['start'] };
  await running.keep('temporal', () => startProcess(temporal, server, place, () => takes(address)));
}

/** Whether a Temporal server answers there. */
async function takes(address: string): Promise<boolean> {
  const connection = await Connection.connect({ address, connectTimeout: '1s' }).catch(
    () => undefined,
  );
  await connection?.close();
  return connection !== undefined;
}

async function startOurs(
  { migrate, apis, workers }: Plan,
  addresses: Addresses,
  { settings }: ClusterOptions,
  place: Place,
  running: Running,
): Promise<void> {
  for (const each of [migrate, ...apis, ...workers]) Object.assign(each.env, settings?.(each.name));
  await runToEnd(migrate, docentCommand(migrate), place);
  const keep = (planned: Planned, port: number) =>
    running.keep(planned.name, () =>
      startProcess(
        planned,
        docentCommand(planned),
        place,
        () => answers(`http://${HOST}:${port}/readyz`),
        STOP_MS,
      ),
    );
  await Promise.all(apis.map((api, i) => keep(api, addresses.apis[i] as number)));
  await Promise.all(workers.map((worker, i) => keep(worker, addresses.workers[i] as number)));
}

function envText(env: Record<string, string>): string {
  return Object.entries(env)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${value.includes("'") ? `"${value}"` : `'${value}'`}\n`)
    .join('');
}
