import { type Client, ScheduleClient } from '@temporalio/client';
import { plainConverter } from '../secrets/payload-codec.ts';

/** Schedules hold names and ids, and outlive every key, so that nothing in them is encrypted. */
export function schedulesOf({ connection, options: { namespace } }: Client): ScheduleClient {
  return new ScheduleClient({ connection, namespace, dataConverter: plainConverter });
}
