import type { JobBody, JobStack } from '../../support/job-stack.ts';

/**
 * What a caller saw; how many things that may wake the job had been done when the caller asked, and
 * how many begun when the answer came.
 */
export interface Watched {
  body: JobBody;
  asked: number;
  answered: number;
}

/** `landed`: whether the job has heard of what was done, where its doer is answered before that. */
export interface Effect {
  landed?: () => Promise<boolean>;
}

export interface Watching {
  /** Does something that may wake the job: from when it is begun until it has landed. */
  mayWake<T extends Effect>(act: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

/** Notes every change that a caller sees who asks with `Prefer: wait`. */
export function watch(stack: JobStack, jobId: string, into: Watched[]): Watching {
  let begun = 0;
  let done = 0;
  const landings: Promise<void>[] = [];
  const stopping = new AbortController();
  const land = async (landed: () => Promise<boolean>): Promise<void> => {
    while (!stopping.signal.aborted && !(await landed()))
      await new Promise(resolve => setTimeout(resolve, 50));
    done += 1;
  };
  const look = async (etag: string | null, wait: number): Promise<string | null> => {
    const asked = done;
    const { status, body, headers } = await stack.call(
      'GET',
      `/v2/agent/${stack.project.id}/job/${jobId}`,
      undefined,
      { prefer: `wait=${wait}`, ...(etag && { 'if-none-match': etag }) },
    );
    if (status === 200) into.push({ body: body as JobBody, asked, answered: begun });
    return headers.get('etag');
  };
  const watching = (async () => {
    for (let etag: string | null = null; !stopping.signal.aborted;) {
      const known: string | null = etag;
      etag = await look(known, 5);
      // One that rests answers at once: without a pause, asking would be most of what this machine
      // does.
      if (etag === known) await new Promise(resolve => setTimeout(resolve, 150));
    }
  })();
  return {
    async mayWake<T extends Effect>(act: () => Promise<T>): Promise<T> {
      begun += 1;
      const effect = await act();
      if (effect.landed) landings.push(land(effect.landed));
      else done += 1;
      return effect;
    },
    async stop() {
      stopping.abort();
      await Promise.all([watching, ...landings]);
      await look(null, 0);
    },
  };
}
