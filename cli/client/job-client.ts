import { type Call, queryOf, type Requests } from '../../clients/typescript/http.ts';
import { Jobs } from '../../clients/typescript/jobs.ts';
import type { JobEvent } from '../../shared/jobs/job.ts';
import { type Caller, callApi } from './http.ts';

/** The jobs of one project; what fails is a `CommandFailure`. */
export function openJobs(caller: Caller, projectId: string): Jobs {
  const request: Requests['request'] = async (path, call, read) => {
    const { query, method = 'GET', headers = {}, body, signal, accept } = call;
    const options = {
      ...{ method, headers, body },
      ...(signal && { signal }),
      ...(accept && { accept }),
    };
    return await read(await callApi(caller, `${path}${queryOf(query)}`, options));
  };
  const json = async <T>(path: string, call: Call = {}) =>
    await request(path, call, response => response.json() as Promise<T>);
  return new Jobs({ request, json }, projectId);
}

/** The job's events after number `from`, until it is idle. */
export async function* progressOf(
  jobs: Jobs,
  id: string,
  from = 0,
): AsyncGenerator<{ seq: number; event: JobEvent }> {
  for await (const { id: seq, ...event } of jobs.events(id, { lastEventId: from }))
    yield { seq, event: event as JobEvent };
}
