import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTE_TYPES } from '../../shared/jobs/attribute-names.ts';
import { type Child, startChild, waitUntilReady } from './child.ts';
import { freePort } from './ports.ts';
import { isProcess } from './process.ts';
import { hiddenAddress, startWebUiProxy } from './web-ui-proxy.ts';

export interface TemporalOptions {
  cliPath: string;
  /** The SQLite file; without it nothing is kept. */
  databaseFile?: string;
  logFile: string;
  host: string;
  port: number;
  uiPort: number;
  env?: Record<string, string>;
}

export interface EmbeddedTemporal {
  address: string;
  uiUrl: string;
  pid: number;
  /** Settles when the server is gone. */
  exited: Child['exited'];
  stop(): Promise<void>;
  /** Ends it without a chance to write anything more. */
  kill(): Promise<void>;
}

/** The dev server keeps closed histories for a day unless told otherwise. */
const RETENTION_SECONDS = 720 * 3600;

/** Without this the server asks version-info.temporal.io for newer versions at each start. */
const QUIET = { TEMPORAL_VERSION_CHECK_DISABLED: 'true' };

/** Starts Temporal's development server and returns when it takes connections. */
export async function startTemporal(options: TemporalOptions): Promise<EmbeddedTemporal> {
  const pidFile = options.databaseFile && `${options.databaseFile}.pid`;
  if (pidFile) await endPredecessor(pidFile, options.databaseFile as string);
  const hidden = hiddenAddress();
  const webUi = { host: hidden, port: await freePort(hidden) };
  const child = await startChild({
    command: options.cliPath,
    args: serverArguments(options, webUi),
    logFile: options.logFile,
    env: { ...QUIET, HOME: dirname(options.logFile), LC_ALL: 'C', TZ: 'UTC', ...options.env },
  });
  if (pidFile) await writeFile(pidFile, String(child.pid));
  const address = `${options.host}:${options.port}`;
  // Another server may answer at the address while ours finds the port taken: ours says when it
  // listens.
  const listens = new RegExp(`Server:\\s+\\S+:${options.port}\\b`);
  await waitUntilReady(
    'Temporal',
    child,
    options.logFile,
    async () =>
      listens.test(await readFile(options.logFile, 'utf8')) && (await setRetention(address)),
  );
  const proxy = await startWebUiProxy({ host: options.host, port: options.uiPort }, webUi);
  return {
    address,
    uiUrl: `http://${options.host}:${proxy.port}`,
    pid: child.pid,
    exited: child.exited,
    kill: async () => {
      process.kill(child.pid, 'SIGKILL');
      await child.exited;
    },
    stop: async () => {
      await proxy.close();
      await child.stop();
      if (pidFile) await rm(pidFile, { force: true });
    },
  };
}

/** Whether the server that wrote this log ended because its port was in use. */
export async function foundPortTaken(logFile: string): Promise<boolean> {
  return (await readFile(logFile, 'utf8')).includes('address already in use');
}

function serverArguments(
  options: TemporalOptions,
  webUi: { host: string; port: number },
): string[] {
  return [
    'server',
    'start-dev',
    '--ip',
    options.host,
    '--port',
    String(options.port),
    '--ui-ip',
    webUi.host,
    '--ui-port',
    String(webUi.port),
    '--log-level',
    'warn',
    // Each project in turn when many jobs wait.
    '--dynamic-config-value',
    'matching.enableFairness=true',
    ...Object.entries(SEARCH_ATTRIBUTE_TYPES).flatMap(([name, type]) => [
      ...['--search-attribute', `${name}=${type}`],
    ]),
    // Without these two, a server on disk is three to four times slower.
    ...(options.databaseFile
      ? [
          '--db-filename',
          options.databaseFile,
          '--sqlite-pragma',
          'journal_mode=wal',
          '--sqlite-pragma',
          'synchronous=normal',
        ]
      : []),
  ];
}

/** False while the server is still starting. */
async function setRetention(address: string): Promise<boolean> {
  let connection: Connection | undefined;
  try {
    // It listens, but on a busy machine what waited for its return comes first.
    connection = await Connection.connect({ address, connectTimeout: '10s' });
    await connection.workflowService.updateNamespace({
      namespace: 'default',
      config: { workflowExecutionRetentionTtl: { seconds: RETENTION_SECONDS as never } },
    });
    return true;
  } catch {
    return false;
  } finally {
    await connection?.close();
  }
}

/** A server whose parent was killed ends within seconds; two must never write one file. */
async function endPredecessor(pidFile: string, databaseFile: string): Promise<void> {
  const pid = Number(await readFile(pidFile, 'utf8').catch(() => ''));
  for (let waited = 0; isProcess(pid, databaseFile); waited += 100) {
    if (waited >= 10_000) process.kill(pid, 'SIGKILL');
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}
