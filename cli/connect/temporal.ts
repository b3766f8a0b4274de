import { readFileSync } from 'node:fs';
import { Client, Connection } from '@temporalio/client';
import type { Config } from '../../shared/config.ts';
import { ConfigError } from '../../shared/errors.ts';
import { clientConverter } from '../../shared/secrets/payload-codec.ts';
import type { ConnectedConfig } from './settings.ts';

/** Connection options for Temporal, for both the client and the worker. */
export function temporalConnection(config: Config): {
  address?: string;
  tls?: Tls | boolean;
  apiKey?: string;
} {
  const tls = tlsOptions(config);
  return {
    ...(config.TEMPORAL_ADDRESS !== undefined && { address: config.TEMPORAL_ADDRESS }),
    ...(tls !== undefined && { tls }),
    ...(config.TEMPORAL_API_KEY !== undefined && { apiKey: config.TEMPORAL_API_KEY }),
  };
}

interface Tls {
  serverNameOverride?: string;
  serverRootCACertificate?: Buffer;
  clientCertPair?: { crt: Buffer; key: Buffer };
}

function tlsOptions(config: Config): Tls | boolean | undefined {
  // Left out, the SDK would use TLS with an API key.
  if (config.TEMPORAL_TLS !== undefined && /^(false|0)$/i.test(config.TEMPORAL_TLS)) return false;
  const certificate = config.TEMPORAL_TLS_CLIENT_CERT_PATH;
  const key = config.TEMPORAL_TLS_CLIENT_KEY_PATH;
  const tls: Tls = {
    ...(config.TEMPORAL_TLS_SERVER_NAME && { serverNameOverride: config.TEMPORAL_TLS_SERVER_NAME }),
    ...(config.TEMPORAL_TLS_SERVER_CA_CERT_PATH && {
      serverRootCACertificate: pem(config, 'TEMPORAL_TLS_SERVER_CA_CERT_PATH'),
    }),
    ...(certificate &&
      key && {
        clientCertPair: {
          crt: pem(config, 'TEMPORAL_TLS_CLIENT_CERT_PATH'),
          key: pem(config, 'TEMPORAL_TLS_CLIENT_KEY_PATH'),
        },
      }),
  };
  if (Object.keys(tls).length > 0) return tls;
  return config.TEMPORAL_TLS !== undefined || config.TEMPORAL_API_KEY !== undefined
    ? true
    : undefined;
}

function pem(config: Config, name: keyof Config & `TEMPORAL_TLS_${string}_PATH`): Buffer {
  const path = config[name] ?? '';
  try {
    return readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(`${name} must be the path of a file; got "${path}" (${code}).`);
  }
}

/** Whether the server at TEMPORAL_ADDRESS answers. */
export async function temporalAnswers(config: Config): Promise<boolean> {
  const options = { ...temporalConnection(config), connectTimeout: '3s' } as const;
  return await Connection.connect(options).then(
    async connection => {
      await connection.close();
      return true;
    },
    () => false,
  );
}

/** Throws `ConfigError` if the Temporal of TEMPORAL_ADDRESS cannot be used. */
export async function requireTemporal(config: Config): Promise<void> {
  if (await temporalAnswers(config)) return;
  throw new ConfigError(
    `Temporal cannot be reached at ${config.TEMPORAL_ADDRESS} (TEMPORAL_ADDRESS). ` +
      'Start it, or unset the variable: "docent start" then runs its own.',
  );
}

/** A client of the configured namespace; `close` ends its connection. */
export async function openTemporal(
  config: ConnectedConfig,
): Promise<{ client: Client; close(): Promise<void> }> {
  // Lazy: a process may start before Temporal does, and reports it at /readyz.
  const connection = Connection.lazy(temporalConnection(config));
  return {
    client: new Client({
      ...{ connection, namespace: config.TEMPORAL_NAMESPACE },
      dataConverter: clientConverter(config),
    }),
    close: () => connection.close(),
  };
}
