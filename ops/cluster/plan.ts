import type { Compose, ComposeService } from './compose.ts';

/** Where everything listens. */
export interface Addresses {
  host: string;
  postgres: number;
  /** By the settings in TEMPORAL_PORTS. */
  temporal: Record<string, number>;
  apis: number[];
  /** Of the workers' health checks. */
  workers: number[];
}

export interface Planned {
  /** The service of docker-compose.yml. */
  service: string;
  /** The service's name, with a number if there are several. */
  name: string;
  env: Record<string, string>;
  args: string[];
}

/** The ports that Temporal's server uses, by setting, and its own defaults. */
export const TEMPORAL_PORTS: Record<string, number> = {
  FRONTEND_GRPC_PORT: 7233,
  HISTORY_GRPC_PORT: 7234,
  MATCHING_GRPC_PORT: 7235,
  WORKER_GRPC_PORT: 7239,
  FRONTEND_HTTP_PORT: 7243,
  FRONTEND_MEMBERSHIP_PORT: 6933,
  HISTORY_MEMBERSHIP_PORT: 6934,
  MATCHING_MEMBERSHIP_PORT: 6935,
  WORKER_MEMBERSHIP_PORT: 6939,
};

/**
 * The processes of docker-compose.yml on one machine without containers. Each has its service's
 * settings; names of hosts become addresses, and each process has ports and a folder of its own.
 */
export function planCluster(compose: Compose, at: Addresses, folder: string) {
  const [firstApi] = at.apis;
  const mapped: Record<string, string> = {
    'postgres:5432': `${at.host}:${at.postgres}`,
    'temporal:7233': `${at.host}:${at.temporal['FRONTEND_GRPC_PORT']}`,
    // The built-in repository host is files in the folder of one API.
    'api:3000': `${at.host}:${firstApi}`,
  };
  const plan = (service: string, own: Record<string, string> = {}, name = service): Planned => {
    const { environment, entrypoint, command } = found(compose, service);
    const env = Object.fromEntries(
      Object.entries(environment).map(([key, value]) => [key, withAddresses(value, mapped)]),
    );
    return { service, name, env: { ...env, ...own }, args: [...entrypoint, ...command] };
  };
  let metrics = Number(found(compose, 'api').environment['METRICS_PORT'] ?? 0);
  const ours = (service: string, port: number, name: string, more: Record<string, string> = {}) =>
    plan(
      service,
      { HOST: at.host, PORT: String(port), DATA_DIR: `${folder}/${name}`, ...more },
      name,
    );
  /** A process that stays: one after the other has the next port for its metrics, if there is one. */
  const staying = (...[service, port, name, more]: Parameters<typeof ours>) =>
    ours(service, port, name, { ...more, ...(metrics && { METRICS_PORT: String(metrics++) }) });
  return {
    postgres: postgresSettings(found(compose, 'postgres')),
    schema: plan('temporal-schema', { SQL_HOST: at.host, SQL_PORT: String(at.postgres) }),
    temporal: plan('temporal', {
      POSTGRES_SEEDS: at.host,
      DB_PORT: String(at.postgres),
      BIND_ON_IP: at.host,
      DYNAMIC_CONFIG_FILE_PATH: `${folder}/temporal/dynamic.yaml`,
      ...Object.fromEntries(
        Object.entries(at.temporal).map(([name, port]) => [name, String(port)]),
      ),
    }),
    namespace: plan('temporal-namespace'),
    migrate: ours('migrate', 3000, 'migrate'),
    apis: at.apis.map((port, i) => staying('api', port, `api-${i + 1}`)),
    workers: at.workers.map((port, i) =>
      staying('worker', 3000, `worker-${i + 1}`, { WORKER_HEALTH_PORT: String(port) }),
    ),
  };
}

function found({ services }: Compose, name: string): ComposeService {
  const service = services[name];
  if (!service) throw new Error(`docker-compose.yml has no service ${name}.`);
  return service;
}

function withAddresses(value: string, mapped: Record<string, string>): string {
  return value.replace(/\b(postgres:5432|temporal:7233|api:3000)\b/g, name => mapped[name] ?? name);
}

/** `-c name=value` of the command. */
function postgresSettings({ command }: ComposeService): Record<string, string> {
  return Object.fromEntries(
    command
      .filter((_, i) => command[i - 1] === '-c')
      .map(setting => setting.split('=') as [string, string]),
  );
}
