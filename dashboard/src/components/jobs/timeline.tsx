import type { ReactNode } from 'react';
import type { Conversation } from '../../../../shared/jobs/conversation.ts';
import type { LiveText } from '../../data/job-events.ts';
import type { StepStart, TimelineItem, ToolCall } from '../../data/timeline.ts';
import { Badge, JobStatusBadge } from '../feedback/badge.tsx';
import { plural } from '../text/format.tsx';
import { Icon, type IconName } from '../text/icons.tsx';
import { Markdown } from '../text/markdown.tsx';

interface Props {
  items: readonly TimelineItem[];
  live: LiveText | null;
  /** Instructions that no turn has taken. */
  waiting: readonly Extract<Conversation['messages'][number], { type: 'instruction' }>[];
  /** The job is at work, and says nothing just now. */
  busy: boolean;
  pullLink: (prLink: string, label: string) => ReactNode;
  /** The button at a step's first line that takes the job back to it; absent where nobody may. */
  rewind?: (start: StepStart) => ReactNode;
}

type Parts = Pick<Props, 'pullLink' | 'rewind'>;

/** The job as it happened. A log for screen readers: what is added is read out. */
export function Timeline({ items, live, waiting, busy, ...parts }: Props) {
  return (
    <div role="log" aria-label="What happened" aria-live="polite" aria-relevant="additions">
      <ol className="timeline">
        {items.map(item => (
          <Item key={item.seq} item={item} parts={parts} />
        ))}
        {live && (
          <li className="said">
            <Markdown text={live.text} />
            <span className="caret" />
          </li>
        )}
        {busy && !live && (
          <li className="working">
            <span className="spinner" /> Working …
          </li>
        )}
        {waiting.map(({ id, text, state }) => (
          <li key={id} className="asked">
            <div className="bubble">
              <Badge tone={state === 'dropped' ? 'bad' : 'warn'}>
                {state === 'dropped' ? 'dropped' : 'waits for the next step'}
              </Badge>
              <p>{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </div>
  );
}

function Item({ item, parts }: { item: TimelineItem; parts: Parts }) {
  const rewind = (start: StepStart | undefined) => start && parts.rewind?.(start);
  switch (item.type) {
    case 'instruction':
      return (
        <li className="asked">
          <div className="bubble">
            <p>{item.instruction.prompt}</p>
          </div>
        </li>
      );
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
              <Call key={call.call.toolCallId} call={call} rewind={rewind(call.start)} />
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
    case 'commit':
      return (
        <Note icon="commit">
          Commit <code>{item.commit.commit.slice(0, 10)}</code> on <code>{item.commit.branch}</code>
        </Note>
      );
    case 'pull_request':
      return (
        <Note icon="pulls">
          Pull request {item.pullRequest.state}:{' '}
          {parts.pullLink(item.pullRequest.prLink, item.pullRequest.title)}
        </Note>
      );
    case 'rewound':
      return <Rewound item={item} pullLink={parts.pullLink} />;
    case 'error':
      return <Note icon="warning">{item.message}</Note>;
    case 'finish':
      return (
        <li className="outcome step">
          <JobStatusBadge status={item.finish.status} />
          <Markdown text={item.finish.messageToUser} />
          {rewind(item.start)}
        </li>
      );
  }
}

/** What no longer holds stays to be looked at, folded away. */
function Rewound({
  item,
  pullLink,
}: {
  item: Extract<TimelineItem, { type: 'rewound' }>;
  pullLink: Props['pullLink'];
}) {
  return (
    <li className="rewound">
      <details>
        <summary className="note">
          <Icon name="rewind" size={16} />
          <span>
            Went back to step {item.step} of turn {item.turn}.{' '}
            {item.undone.length > 0 && <span className="link">Show what was left out</span>}
          </span>
        </summary>
        <ol className="timeline undone">
          {item.undone.map(each => (
            <Item key={each.seq} item={each} parts={{ pullLink }} />
          ))}
        </ol>
      </details>
    </li>
  );
}

function Note({ icon, children }: { icon: IconName; children: ReactNode }) {
  return (
    <li className="note">
      <Icon name={icon} size={16} />
      <span>{children}</span>
    </li>
  );
}

const VERBS: Record<string, string> = {
  view: 'Read',
  create: 'Create',
  str_replace: 'Edit',
  insert: 'Insert',
  search_docs: 'Search the docs',
  list_files: 'List files',
  search_text: 'Search text',
  replace_all: 'Replace all',
  move_page: 'Move page',
  delete_page: 'Delete page',
  write_todos: 'Plan',
  check: 'Check',
  finish: 'Finish',
};

const STATE_ICONS: Record<'failed' | 'done' | 'not run', IconName> = {
  failed: 'cross',
  done: 'check',
  'not run': 'dash',
};

function stateOf({ result, isOver }: ToolCall) {
  if (result) return result.isError ? 'failed' : 'done';
  return isOver ? 'not run' : 'running';
}

function Call({ call: toolCall, rewind }: { call: ToolCall; rewind: ReactNode }) {
  const { call, result } = toolCall;
  const state = stateOf(toolCall);
  const object = objectOf(call.args);
  // Summaries begin with what the call is about, which stands there already.
  const outcome =
    state === 'not run'
      ? state
      : result?.summary.startsWith(object)
        ? result.summary.slice(object.length).trim()
        : result?.summary;
  return (
    <li className="call step">
      <details>
        <summary>
          {state === 'running' ? (
            <span className="spinner" />
          ) : (
            <span className={`call-mark call-${state.replace(' ', '-')}`}>
              <Icon name={STATE_ICONS[state]} size={14} />
            </span>
          )}
          <span className="visually-hidden">{state}: </span>
          <span className="call-verb">{VERBS[call.toolName] ?? call.toolName}</span>
          <span className="call-object mono clip">{object}</span>
          {outcome && <span className="call-summary faint small clip">{outcome}</span>}
        </summary>
        {result?.summary && <p className="small soft">{result.summary}</p>}
        <pre tabIndex={0} role="region" aria-label="Arguments of the call">
          {JSON.stringify(call.args, null, 2)}
        </pre>
      </details>
      {rewind}
    </li>
  );
}

/** The one argument that says what a call is about. */
function objectOf(args: Record<string, unknown>): string {
  const name = ['path', 'from', 'query', 'pattern', 'find', 'glob', 'title'].find(
    each => typeof args[each] === 'string',
  );
  return name ? String(args[name]) : '';
}

export function Checks({
  findings,
}: {
  findings: { path: string; line: number | null; rule: string; message: string }[];
}) {
  if (findings.length === 0)
    return (
      <p className="note">
        <Icon name="check" size={16} />
        <span>Checks: nothing broken</span>
      </p>
    );
  return (
    <div className="findings">
      <p className="note">
        <Icon name="warning" size={16} />
        <span>Checks found {plural(findings.length, 'problem')}</span>
      </p>
      <ul>
        {findings.map((finding, i) => (
          <li key={i}>
            <code>
              {finding.path}
              {finding.line === null ? '' : `:${finding.line}`}
            </code>{' '}
            {finding.message} <span className="faint small">{finding.rule}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
