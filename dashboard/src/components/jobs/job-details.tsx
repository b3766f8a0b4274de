import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { JobDetail } from '../../../../api/dashboard/contract/jobs.ts';
import type { Todo } from '../../../../shared/jobs/job.ts';
import { useProject } from '../../data/place.ts';
import { SourceList } from '../assistant/source-link.tsx';
import { Copyable } from '../controls/copy.tsx';
import { CostFigure } from '../text/cost-figure.tsx';
import { formatCompact, formatNumber, RelativeTime } from '../text/format.tsx';
import { Icon } from '../text/icons.tsx';

interface Props {
  job: JobDetail;
  todos: readonly Todo[];
  /** Below the plan. */
  children: ReactNode;
}

/** Beside the conversation: the plan, the facts and the cost of a job. */
export function JobDetails({ job, todos, children }: Props) {
  return (
    <aside className="split-side" aria-label="About this job">
      {todos.length > 0 && <JobPlan todos={todos} />}
      {children}
      {job.questions.length > 0 && <AnsweredQuestions questions={job.questions} />}
      <div className="card card-pad section">
        <h2>Details</h2>
        <dl className="facts">
          <dt>Started by</dt>
          <dd>{job.startedBy?.name ?? 'a script'}</dd>
          <dt>Created</dt>
          <dd>
            <RelativeTime at={job.createdAt} />
          </dd>
          {job.finishedAt && job.status !== 'active' && (
            <>
              <dt>Finished</dt>
              <dd>
                <RelativeTime at={job.finishedAt} />
              </dd>
            </>
          )}
          <Cost job={job} />
          <Branch job={job} />
          <dt>Base</dt>
          <dd>
            <code>{job.baseRef}</code>
          </dd>
          <dt>Job ID</dt>{' '}
          <dd>
            {' '}
            <Copyable text={job.id} what="job ID" />
          </dd>
        </dl>
      </div>
    </aside>
  );
}

/** What readers asked, and whether the docs answer it since the job's pull request was merged. */
function AnsweredQuestions({ questions }: Pick<JobDetail, 'questions'>) {
  return (
    <div className="card card-pad section">
      <h2>Questions of readers</h2>
      <ul className="stack">
        {questions.map(({ question, askedAgainAt, sources }) => (
          <li key={question} className="stack-tight">
            <span>{question}</span>
            <span className="small soft">
              {sources.length > 0
                ? 'Answered since the merge'
                : askedAgainAt
                  ? 'Still unanswered after the merge'
                  : 'Will be asked again after the merge'}
            </span>
            <SourceList sources={sources} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Branch({ job }: { job: JobDetail }) {
  const { params } = useProject();
  return (
    <>
      <dt>Branch</dt>
      <dd>
        <code>{job.branch}</code>
        {job.ref === null ? (
          <span className="faint"> not pushed</span>
        ) : (
          <Link
            to="/$organization/$domain/docs/$"
            params={{ ...params, _splat: '' }}
            search={{ ref: job.branch }}
            className="preview-link"
          >
            Preview
          </Link>
        )}
      </dd>
    </>
  );
}

function Cost({ job }: { job: JobDetail }) {
  const { model, effort, turns, tokens } = job;
  const { cachedShare } = tokens;
  const inputs = [
    `Input: ${formatNumber(tokens.input)} uncached`,
    `${formatNumber(tokens.cacheRead)} cache reads`,
    `${formatNumber(tokens.cacheWrite)} cache writes`,
  ];
  return (
    <>
      <dt>Model</dt>
      <dd>{model}</dd>
      {effort !== null && (
        <>
          <dt>Effort</dt>
          <dd>{effort}</dd>
        </>
      )}
      <dt>Turns</dt>
      <dd className="number">{turns}</dd>
      <dt>Tokens</dt>
      <dd className="number" title={`${inputs.join(', ')}. Output: ${formatNumber(tokens.output)}`}>
        {formatCompact(tokens.input + tokens.cacheRead + tokens.cacheWrite)} in,{' '}
        {formatCompact(tokens.output)} out
      </dd>
      <dt>From cache</dt>
      <dd className="number">
        {cachedShare === null ? 'unknown' : `${Math.round(cachedShare * 100)} %`}
      </dd>
      <dt>Cost</dt>
      <dd>
        <CostFigure cost={job} />
      </dd>
    </>
  );
}

const STATUS = {
  pending: 'to do',
  in_progress: 'in progress',
  completed: 'done',
  cancelled: 'cancelled',
} as const;

/** The to-do list that the agent keeps. */
function JobPlan({ todos }: { todos: readonly Todo[] }) {
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
              <span className="visually-hidden">{STATUS[todo.status]}: </span>
              {todo.content}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
