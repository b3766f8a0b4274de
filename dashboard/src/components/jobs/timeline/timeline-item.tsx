import { type ReactNode, useState } from 'react';
import { useHash } from '../../../data/hash-target.ts';
import type { StepStart } from '../../../data/jobs/steps.ts';
import type { TimelineItem } from '../../../data/jobs/timeline.ts';
import { type CallState, foldWork, stateOf, wallTime, type Work } from '../../../data/jobs/work.ts';
import { Icon } from '../../text/icons.tsx';
import { Markdown } from '../../text/markdown.tsx';
import { Checks } from './checks.tsx';
import { OutcomeBadge } from '../outcome-badge.tsx';
import type { CallParts } from './call-parts.ts';
import { ToolCalls } from './tool-call.tsx';
import { Duration } from '../../text/duration.tsx';
import { plural } from '../../text/format.tsx';
import { summaryOf } from './tool-names.ts';

export interface TimelineParts extends CallParts {
  pullRequestLink: (prLink: string, label: string) => ReactNode;
}

interface RowProps {
  item: TimelineItem | Work;
  parts: TimelineParts;
}

/** One row of what happened. */
export function TimelineItemRow({ item, parts }: RowProps) {
  switch (item.type) {
    case 'instruction':
      return (
        <Instruction
          text={item.instruction.prompt}
          images={item.instruction.uploads?.map(({ name }) => name)}
        />
      );
    case 'text':
      return (
        <li className="said step" id={item.start && parts.anchor?.(item.start)}>
          <Markdown text={item.text} />
          <StepButtons start={item.start} parts={parts} />
        </li>
      );
    case 'tools':
      return (
        <li className="calls">
          <ToolCalls calls={item.calls} parts={parts} />
        </li>
      );
    case 'work':
      return <WorkFold work={item} parts={parts} />;
    case 'checks':
      return (
        <li>
          <Checks findings={item.findings} />
        </li>
      );
    case 'finish':
      return (
        <li className="outcome step" id={item.start && parts.anchor?.(item.start)}>
          {item.end && <OutcomeBadge outcome={item.end} />}
          <Markdown text={item.finish.messageToUser} />
          <StepButtons start={item.start} parts={parts} />
        </li>
      );
    case 'rewound':
      return <Rewound item={item} parts={parts} />;
    default:
      return <Note item={item} pullRequestLink={parts.pullRequestLink} />;
  }
}

/** The address of a step, and the button that rewinds the job to it. */
function StepButtons({ start, parts }: { start: StepStart | undefined; parts: TimelineParts }) {
  if (!start) return null;
  return (
    <>
      {parts.anchor && (
        <a
          className="button button-small button-quiet button-icon step-link"
          href={`#${parts.anchor(start)}`}
          aria-label={`Link to step ${start.step} of turn ${start.turn}`}
        >
          <Icon name="link" size={15} />
        </a>
      )}
      {parts.rewind?.(start)}
    </>
  );
}

/** What a person asked for. */
export function Instruction({
  text,
  images = [],
  children,
}: {
  text: string;
  /** Names of attached images. */
  images?: string[] | undefined;
  children?: ReactNode;
}) {
  return (
    <li className="asked">
      <div className="bubble">
        {children}
        <p>{text}</p>
        {images.length > 0 && (
          <ul className="attached" aria-label="Attached images">
            {images.map((name, i) => (
              <li key={i}>{name}</li>
            ))}
          </ul>
        )}
      </div>
    </li>
  );
}

type ItemOf<T extends TimelineItem['type']> = Extract<TimelineItem, { type: T }>;
type Link = Pick<TimelineParts, 'pullRequestLink'>;

/** The undone items, folded away. */
function Rewound({ item, parts }: { item: ItemOf<'rewound'>; parts: TimelineParts }) {
  const { pullRequestLink, jobPath } = parts;
  const [isOpened, setOpened] = useState(false);
  return (
    <li className="rewound">
      <details onToggle={() => setOpened(true)}>
        <summary className="note">
          <Icon name="rewind" size={16} />
          <span>
            Rewound to step {item.step} of turn {item.turn}.{' '}
            {item.undone.length > 0 && <span className="link">Show the undone steps</span>}
          </span>
        </summary>
        {isOpened && (
          <ol className="timeline undone">
            {foldWork(item.undone, false).map(each => (
              <TimelineItemRow key={each.seq} item={each} parts={{ pullRequestLink, jobPath }} />
            ))}
          </ol>
        )}
      </details>
    </li>
  );
}

const NOTE_ICONS = {
  commit: 'commit',
  pull_request: 'pulls',
  error: 'warning',
  retry: 'warning',
  waiting: 'user',
} as const;

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
        {item.type === 'retry' && `${item.reason} Trying again.`}
        {item.type === 'waiting' &&
          (item.waiting.state === 'ended'
            ? `Nobody came: the job no longer waits for ${item.waiting.waitingFor}.`
            : `Still waiting for ${item.waiting.waitingFor}.`)}
      </span>
    </li>
  );
}

/** A long row of calls in one line, each on demand. */
function WorkFold({ work: { calls }, parts }: { work: Work; parts: TimelineParts }) {
  const { anchor } = parts;
  const anchors = calls.flatMap(({ start }) => (start && anchor ? [anchor(start)] : []));
  const [isOpened, setOpened] = useState(false);
  const isNamed = anchors.includes(useHash());
  const count = (wanted: CallState) => calls.filter(call => stateOf(call) === wanted).length;
  const [failed, notRun] = [count('failed'), count('not run')];
  return (
    <li className="work">
      <details onToggle={() => setOpened(true)}>
        <summary>
          <Icon name="tool" size={16} />
          <span className="work-title">{summaryOf(calls)}</span>
          <span className="work-facts small">
            <span className="number">{plural(calls.length, 'call')}</span>
            {failed > 0 && <span className="call-failed">{failed} failed</span>}
            {notRun > 0 && <span>{notRun} not run</span>}
            <Duration ms={wallTime(calls)} />
          </span>
        </summary>
        {(isOpened || isNamed) && (
          <ol className="timeline">
            <li className="calls">
              <ToolCalls calls={calls} parts={parts} />
            </li>
          </ol>
        )}
      </details>
    </li>
  );
}
