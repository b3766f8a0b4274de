import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { JobEvent, TextDelta } from '../../../shared/job.ts';

export interface NumberedEvent { seq: number; event: JobEvent }

/** What the model is saying just now; gone once its whole text has come. */
export interface LiveText { turn: number; step: number; attempt: number; text: string }

export interface JobStream { events: readonly NumberedEvent[]; live: LiveText | null }

const REFETCH_MS = 700;
const REOPEN_MS = 1_500;

/**
 * A job's events, from the first on, as they come. The server ends the stream when the job rests; it is opened again when
 * `active` says that the job goes on. Whatever else is shown of the job is asked again after news.
 */
export function useJobEvents(projectId: string, jobId: string, active: boolean): JobStream {
  const client = useQueryClient();
  const [stream, setStream] = useState<JobStream>({ events: [], live: null });
  const [round, setRound] = useState(0);
  const [closed, setClosed] = useState(false);

  useEffect(() => {
    setStream({ events: [], live: null });
    setClosed(false);
  }, [projectId, jobId]);

  useEffect(() => {
    const source = new EventSource(`/api/dashboard/projects/${projectId}/jobs/${jobId}/events?deltas=true`);
    const waiting: (NumberedEvent | TextDelta)[] = [];
    let frame = 0;
    let refetch: ReturnType<typeof setTimeout> | undefined;
    // A finished job's hundred events come at once: one rendering for all of them.
    const take = (item: NumberedEvent | TextDelta) => {
      waiting.push(item);
      frame ||= requestAnimationFrame(() => { frame = 0; const items = waiting.splice(0); setStream(old => add(old, items)); });
    };
    const askAgain = () => {
      refetch = undefined;
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === projectId && String(queryKey[2]).startsWith(`/jobs/${jobId}`) });
    };
    source.onmessage = ({ data, lastEventId }: MessageEvent<string>) => {
      take({ seq: Number(lastEventId), event: JSON.parse(data) as JobEvent });
      refetch ??= setTimeout(askAgain, REFETCH_MS);
    };
    source.addEventListener('text_delta', ({ data }: MessageEvent<string>) => take(JSON.parse(data) as TextDelta));
    source.onerror = () => { if (source.readyState === EventSource.CLOSED) setClosed(true); };
    return () => {
      source.close();
      cancelAnimationFrame(frame);
      clearTimeout(refetch);
      if (refetch) askAgain(); // the last news count for whatever is shown next
    };
  }, [client, projectId, jobId, round]);

  useEffect(() => {
    if (!active || !closed) return undefined;
    const timer = setTimeout(() => { setClosed(false); setRound(n => n + 1); }, REOPEN_MS);
    return () => clearTimeout(timer);
  }, [active, closed]);

  return stream;
}

function add(stream: JobStream, items: readonly (NumberedEvent | TextDelta)[]): JobStream {
  const events = [...stream.events];
  let { live } = stream;
  for (const item of items) {
    if (!('seq' in item)) live = addDelta(live, item);
    // A stream that was opened again begins at the first event.
    else if (item.seq > (events.at(-1)?.seq ?? 0)) {
      events.push(item);
      live = null;
    }
  }
  return { events, live };
}

function addDelta(live: LiveText | null, { turn, step, attempt, text }: TextDelta): LiveText {
  const goesOn = live && live.turn === turn && live.step === step && live.attempt === attempt;
  return { turn, step, attempt, text: goesOn ? live.text + text : text };
}
