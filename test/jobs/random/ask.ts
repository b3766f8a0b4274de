import type { JobStack } from '../../support/job-stack.ts';

const PATIENCE_MS = 120_000;

/** GETs what a caller with patience gets: a busy machine answers 503 now and then. `rest`: of the job's path. */
export async function ask<T>(stack: JobStack, jobId: string, rest = ''): Promise<T> {
  for (const end = Date.now() + PATIENCE_MS; ; await new Promise(resolve => setTimeout(resolve, 500))) {
    const { status, body } = await stack.call('GET', `/v2/agent/${stack.project.id}/job/${jobId}${rest}`);
    if (status === 200) return body as T;
    if (status !== 503 || Date.now() > end) throw new Error(`GET ${rest}: ${status} ${JSON.stringify(body)}`);
  }
}
