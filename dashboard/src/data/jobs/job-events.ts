import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import type { JobDetail } from '../../../../api/dashboard/contract/jobs.ts';
import { checkConnection, useConnection } from '../connection.ts';
import { isOfJob } from '../queries.ts';
import { urlOf } from '../request.ts';
import type { JobEvent, TextDelta, TimedEvent } from '../../../../shared/jobs/job.ts';

export interface NumberedEvent {
  seq: number;
  event: JobEvent;
  /** When it happened: Unix milliseconds. */
  at: number;
}

/** What the model is saying just now; gone once its whole text has come. */
export interface LiveText {
  turn: number;
  step: number;
  attempt: number;
  text: string;
  tokens: number;
}

export interface JobStream {
  events: readonly NumberedEvent[];
  live: LiveText | null;
}

export interface WatchedJob extends JobStream {
  /** `refused`: it could not be opened, and is tried again after a while. */
  state: 'open' | 'ended' | 'refused';
  retry: () => void;
}

const RENDER_MS = 30;
const REFETCH_MS = 700;
const REOPEN_MS = 500;
/** Where opening it was refused before: too many read along, or a proxy has nobody behind it. */
const REOPEN_AGAIN_MS = 10_000;

/**
 * A job's events, from the first on, as they come; for one job as long as the component lives. The
 * server ends the stream when the job is idle. The stream is opened again when the job's last
 * known state is active or has newer events. After an event, the job's other queries are refetched.
 */
export function useJobEvents(
  projectId: string,
  { id: jobId, status, lastEvent }: Pick<JobDetail, 'id' | 'status' | 'lastEvent'>,
): WatchedJob {
  const client = useQueryClient();
  const [stream, setStream] = useState<JobStream>({ events: [], live: null });
  const [round, setRound] = useState(0);
  const [state, setState] = useState<WatchedJob['state']>('open');

  useEffect(() => {
    const url = urlOf('GET /projects/:projectId/jobs/:id/events', {
      params: { projectId, id: jobId },
      query: { deltas: true },
    });
    return readEvents(url, {
      items: items => setStream(old => add(old, items)),
      news: () => {
        void client.invalidateQueries({
          predicate: ({ queryKey }) => isOfJob(queryKey, projectId, jobId),
        });
      },
      closed: setState,
    });
  }, [client, projectId, jobId, round]);

  const connection = useConnection();
  useEffect(() => {
    if (connection === 'back') setRound(n => n + 1);
  }, [connection]);

  const retry = useCallback(() => {
    setState('open');
    setRound(n => n + 1);
  }, []);
  const more = status === 'active' || lastEvent > (stream.events.at(-1)?.seq ?? 0);
  useEffect(() => {
    if (!more || state === 'open') return undefined;
    const timer = setTimeout(retry, state === 'ended' ? REOPEN_MS : REOPEN_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [more, state, retry]);

  return { ...stream, state, retry };
}

/**
 * Reads a stream of events until the returned function is called. `news`: some time after an event,
 * once for all that came in between.
 */
function readEvents(
  url: string,
  on: {
    items: (items: readonly (NumberedEvent | TextDelta)[]) => void;
    news: () => void;
    closed: (state: 'ended' | 'refused') => void;
  },
): () => void {
  const source = new EventSource(url);
  const waiting: (NumberedEvent | TextDelta)[] = [];
  let render: ReturnType<typeof setTimeout> | undefined;
  let refetch: ReturnType<typeof setTimeout> | undefined;
  let wasOpen = false;
  // A finished job's hundred events come at once: one rendering for all of them. No animation
  // frame: a tab in the background has none.
  const take = (item: NumberedEvent | TextDelta) => {
    waiting.push(item);
    render ??= setTimeout(() => {
      render = undefined;
      on.items(waiting.splice(0));
    }, RENDER_MS);
  };
  const tellNews = () => {
    refetch = undefined;
    on.news();
  };
  source.onmessage = ({ data, lastEventId }: MessageEvent<string>) => {
    const event = JSON.parse(data) as TimedEvent;
    take({ seq: Number(lastEventId), event, at: event.at });
    refetch ??= setTimeout(tellNews, REFETCH_MS);
  };
  source.addEventListener('text_delta', ({ data }: MessageEvent<string>) =>
    take(JSON.parse(data) as TextDelta),
  );
  source.onopen = () => {
    wasOpen = true;
  };
  // The browser restores a lost connection by itself, from the last event on.
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) on.closed(wasOpen ? 'ended' : 'refused');
    else void checkConnection();
  };
  return () => {
    source.close();
    clearTimeout(render);
    clearTimeout(refetch);
    if (refetch) tellNews(); // the last news counts for what is shown next
  };
}

function add(stream: JobStream, items: readonly (NumberedEvent | TextDelta)[]): JobStream {
  let { live } = stream;
  const more: NumberedEvent[] = [];
  for (const item of items) {
    const newest = more.at(-1) ?? stream.events.at(-1);
    if (!('seq' in item)) live = isVoid(item, newest?.event) ? live : addDelta(live, item);
    // A stream that was opened again begins at the first event.
    else if (item.seq > (newest?.seq ?? 0)) {
      more.push(item);
      live = null;
    }
  }
  // The same array without new ones: what is drawn of it stays as it is.
  return { events: more.length > 0 ? [...stream.events, ...more] : stream.events, live };
}

/**
 * What a run that was rewound still says: the next words are those of the step that it was taken
 * back to.
 */
function isVoid({ turn, step }: TextDelta, newest: JobEvent | undefined): boolean {
  return newest?.type === 'rewound' && (newest.turn !== turn || newest.step !== step);
}

function addDelta(
  live: LiveText | null,
  { turn, step, attempt, text, tokens }: TextDelta,
): LiveText {
  const goesOn = live && live.turn === turn && live.step === step && live.attempt === attempt;
  return { turn, step, attempt, tokens, text: goesOn ? live.text + text : text };
}
