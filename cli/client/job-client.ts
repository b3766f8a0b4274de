import { DocentError } from '../../clients/typescript/docent-error.ts';
import { type Call, Http, type Requests } from '../../clients/typescript/http.ts';
import { Jobs } from '../../clients/typescript/jobs.ts';
import type { JobEvent } from '../../shared/jobs/job.ts';
import { CommandFailure, EXIT } from '../output/failure.ts';
import { type Caller, stranger, unanswered } from './http.ts';

/** The jobs of one project. Only `wait` and `events` outlast a restart of the API. */
export function openJobs(caller: Caller, projectId: string): Jobs {
  const { baseUrl, key: apiKey } = caller;
  const request: Requests['request'] = async (path, call, read) => {
    let answer: Response | undefined;
    const http = new Http({
      ...{ baseUrl, apiKey, maxRetries: 0 },
      fetch: async (input, init) => {
        answer = await fetch(input, init);
        return answer;
      },
    });
    const headers = { 'user-agent': 'docent-cli', ...call.headers };
    return await http.request(path, { ...call, headers }, read).catch((error: unknown) => {
      if (!(error instanceof DocentError)) throw error;
      const { code, cause } = error;
      if (code === 'unreachable') throw new CommandFailure(unanswered(caller, cause), EXIT.failed);
      throw code === 'not-docent' && answer ? stranger(caller, answer) : error;
    });
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
