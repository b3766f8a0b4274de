import { setTimeout as delay } from 'node:timers/promises';
import { NativeConnection, type NativeConnectionOptions, TransportError } from '@temporalio/worker';
import type { Logger } from '../shared/logger.ts';

const RETRY_MS = 2_000;

/**
 * Connects to Temporal, as often as it takes: a worker may start before its server does, as after a
 * power cut.
 */
export async function connectToTemporal(
  options: NativeConnectionOptions,
  logger: Logger,
): Promise<NativeConnection> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await NativeConnection.connect(options);
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      logger.warn({ attempt }, `Temporal cannot be reached at ${options.address}: waiting for it`);
    }
    await delay(RETRY_MS);
  }
}
