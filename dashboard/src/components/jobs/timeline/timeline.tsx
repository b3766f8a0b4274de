import { memo } from 'react';
import type { Conversation } from '../../../../../shared/jobs/conversation.ts';
import type { LiveText } from '../../../data/jobs/job-events.ts';
import { useHashTarget } from '../../../data/hash-target.ts';
import type { TimelineItem } from '../../../data/jobs/timeline.ts';
import { foldWork } from '../../../data/jobs/work.ts';
import { Badge } from '../../feedback/badge.tsx';
import { Markdown } from '../../text/markdown.tsx';
import { Instruction, TimelineItemRow, type TimelineParts } from './timeline-item.tsx';

interface Props {
  items: readonly TimelineItem[];
  live: LiveText | null;
  /** Instructions that no turn has started on. */
  waiting: readonly Extract<Conversation['messages'][number], { type: 'instruction' }>[];
  /** The job is running. */
  busy: boolean;
  parts: TimelineParts;
}

/** What happened in a job, in order. A log, so that screen readers read out additions. */
export function Timeline({ items, live, waiting, busy, parts }: Props) {
  useHashTarget(items.length);
  return (
    <div role="log" aria-label="What happened" aria-live="polite" aria-relevant="additions">
      <ol className="timeline">
        <Rows {...{ items, busy, parts }} />
        {live && live.text !== '' && (
          <li className="said">
            <div className="said-live">
              <Markdown text={live.text} />
            </div>
          </li>
        )}
        {(busy || live) && (
          <li className="working">
            <span className="spinner" /> Working …
            {live && live.tokens > 0 && ` about ${live.tokens.toLocaleString('en')} tokens`}
          </li>
        )}
        {waiting.map(({ id, text, state }) => (
          <Instruction key={id} text={text}>
            <Badge tone={state === 'dropped' ? 'bad' : 'warn'}>
              {state === 'dropped' ? 'dropped' : 'waiting for the next step'}
            </Badge>
          </Instruction>
        ))}
      </ol>
    </div>
  );
}

/** Not drawn again for each word of a live text. */
const Rows = memo(function Rows({ items, busy, parts }: Pick<Props, 'items' | 'busy' | 'parts'>) {
  return foldWork(items, busy).map(item => (
    <TimelineItemRow key={item.seq} item={item} parts={parts} />
  ));
});
