import type { ReactNode } from 'react';
import type { StepStart, TimelineItem } from '../../data/timeline.ts';
import { Icon } from '../text/icons.tsx';
import { Markdown } from '../text/markdown.tsx';
import { Checks } from './checks.tsx';
import { JobStatusBadge } from './job-status-badge.tsx';
import { ToolCallRow } from './tool-call.tsx';

export interface TimelineParts {
  pullRequestLink: (prLink: string, label: string) => ReactNode;
  /** The button on a step's first line that rewinds the job to the step; absent if not allowed. */
  rewind?: (start: StepStart) => ReactNode;
}

export function TimelineItemRow({ item, parts }: { item: TimelineItem; parts: TimelineParts }) {
  const rewind = (start: StepStart | undefined) => start && parts.rewind?.(start);
  switch (item.type) {
    case 'instruction':
      return <Instruction text={item.instruction.prompt} />;
    case 'text':
      return (
        <li className="said step">
          <Markdown text={item.text} />
          {rewind(item.start)}
        </li>
      );
    case 'tools':
      return (
        <li className="calls">
          <ul>
            {item.calls.map(call => (
              <ToolCallRow key={call.call.toolCallId} call={call} rewind={rewind(call.start)} />
            ))}
          </ul>
        </li>
      );
    case 'checks':
      return (
        <li>
          <Checks findings={item.findings} />
        </li>
      );
    case 'finish':
      return (
        <li className="outcome step">
          <JobStatusBadge status={item.finish.status} />
          <Markdown text={item.finish.messageToUser} />
          {rewind(item.start)}
        </li>
      );
    case 'rewound':
      return <Rewound item={item} pullRequestLink={parts.pullRequestLink} />;
    default:
      return <Note item={item} pullRequestLink={parts.pullRequestLink} />;
  }
}

/** What a person asked for. */
export function Instruction({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <li className="asked">
      <div className="bubble">
        {children}
        <p>{text}</p>
      </div>
    </li>
  );
}

type ItemOf<T extends TimelineItem['type']> = Extract<TimelineItem, { type: T }>;
type Link = Pick<TimelineParts, 'pullRequestLink'>;

/** The undone items, folded away. */
function Rewound({ item, pullRequestLink }: Link & { item: ItemOf<'rewound'> }) {
  return (
    <li className="rewound">
      <details>
        <summary className="note">
          <Icon name="rewind" size={16} />
          <span>
            Rewound to step {item.step} of turn {item.turn}.{' '}
            {item.undone.length > 0 && <span className="link">Show the undone steps</span>}
          </span>
        </summary>
        <ol className="timeline undone">
          {item.undone.map(each => (
            <TimelineItemRow key={each.seq} item={each} parts={{ pullRequestLink }} />
          ))}
        </ol>
      </details>
    </li>
  );
}

const NOTE_ICONS = { commit: 'commit', pull_request: 'pulls', error: 'warning' } as const;

function Note({ item, pullRequestLink }: Link & { item: ItemOf<keyof typeof NOTE_ICONS> }) {
  return (
    <li className="note">
      <Icon name={NOTE_ICONS[item.type]} size={16} />
      <span>
        {item.type === 'commit' && (
          <>
            Commit <code>{item.commit.commit.slice(0, 10)}</code> on{' '}
            <code>{item.commit.branch}</code>
          </>
        )}
        {item.type === 'pull_request' && (
          <>
            Pull request {item.pullRequest.state}:{' '}
            {pullRequestLink(item.pullRequest.prLink, item.pullRequest.title)}
          </>
        )}
        {item.type === 'error' && item.message}
      </span>
    </li>
  );
}
