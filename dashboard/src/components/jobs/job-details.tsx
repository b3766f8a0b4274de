import type { JobDetail } from '../../../../shared/dashboard/jobs.ts';
import type { Todo } from '../../../../shared/jobs/job.ts';
import { Copyable } from '../controls/copy.tsx';
import { formatCompact, formatCost, formatNumber, RelativeTime } from '../text/format.tsx';
import { Icon } from '../text/icons.tsx';

/** Beside the story: what is planned, what it costs. */
export function JobSide({ job, todos }: { job: JobDetail; todos: readonly Todo[] }) {
  const { tokens } = job;
  return (
    <aside className="split-side" aria-label="About this job">
      {todos.length > 0 && <Todos todos={todos} />}
      <div className="card card-pad section">
        <h2>Details</h2>
        <dl className="facts">
          <dt>Started by</dt>
          <dd>{job.startedBy?.name ?? 'a script'}</dd>
          <dt>Created</dt>
          <dd>
            <RelativeTime at={job.createdAt} />
          </dd>
          {job.finishedAt && (
            <>
              <dt>Finished</dt>
              <dd>
                <RelativeTime at={job.finishedAt} />
              </dd>
            </>
          )}
          <dt>Model</dt>
          <dd>{job.model}</dd>
          <dt>Turns</dt>
          <dd className="number">{job.turns}</dd>
          <dt>Tokens</dt>
          <dd
            className="number"
            title={`${formatNumber(tokens.input)} new, ${formatNumber(tokens.cacheRead)} from the cache, ${formatNumber(tokens.cacheWrite)} written to it, ${formatNumber(tokens.output)} answered`}
          >
            {formatCompact(tokens.input + tokens.cacheRead + tokens.cacheWrite)} in,{' '}
            {formatCompact(tokens.output)} out
          </dd>
          <dt>Cost</dt>
          <dd className="number">{formatCost(job.costUsd)}</dd>
          <dt>Branch</dt>
          <dd>
            <code>{job.branch}</code>
            {job.ref === null && <span className="faint"> not pushed</span>}
          </dd>
          <dt>Base</dt>
          <dd>
            <code>{job.baseRef}</code>
          </dd>
          <dt>Job</dt>
          <dd>
            <Copyable text={job.id} what="job id" />
          </dd>
        </dl>
      </div>
    </aside>
  );
}

const MARK = {
  pending: 'to do',
  in_progress: 'at work',
  completed: 'done',
  cancelled: 'dropped',
} as const;

function Todos({ todos }: { todos: readonly Todo[] }) {
  const done = todos.filter(todo => todo.status === 'completed').length;
  return (
    <div className="card card-pad section">
      <div className="row-between">
        <h2>Plan</h2>
        <span className="small faint number">
          {done} of {todos.length}
        </span>
      </div>
      <ul className="todos">
        {todos.map(todo => (
          <li key={todo.id} className={`todo todo-${todo.status}`}>
            <span className="todo-mark" aria-hidden="true">
              {todo.status === 'completed' && <Icon name="check" size={12} />}
            </span>
            <span>
              <span className="visually-hidden">{MARK[todo.status]}: </span>
              {todo.content}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
