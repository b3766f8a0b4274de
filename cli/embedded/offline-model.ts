import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtFile } from '../../bin/built.mjs';
import { LISTENING } from '../../shared/agent-text.ts';
import { type Child, startChild, waitUntilReady } from './child.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'offline-model', 'main.ts');

export interface EmbeddedOfflineModel {
  /** For the SDK's `baseURL`. */
  url: string;
  /** Settles when the server is gone. */
  exited: Child['exited'];
  stop: Child['stop'];
}

/**
 * Starts the offline model without our environment, on a free port unless one is given; returns
 * when it listens.
 */
export async function startOfflineModel({
  logFile,
  host,
  port = 0,
}: {
  logFile: string;
  host: string;
  port?: number;
}): Promise<EmbeddedOfflineModel> {
  const child = await startChild({
    command: process.execPath,
    args: [...program(), '--host', host, '--port', String(port)],
    logFile,
    env: {},
  });
  let url: string | undefined;
  await waitUntilReady('The offline model', child, logFile, async () => {
    url = LISTENING.exec(await readFile(logFile, 'utf8'))?.[1];
    return url !== undefined;
  });
  return { url: url as string, exited: child.exited, stop: child.stop };
}

/**
 * Built, or the source with what lets Node run it. Children start in `/`, where no package is found
 * by its name.
 */
function program(): string[] {
  const built = builtFile('offline-model.mjs');
  return built ? [built] : ['--import', import.meta.resolve('tsx'), MAIN];
}
