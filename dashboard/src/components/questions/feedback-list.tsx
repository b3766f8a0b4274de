import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Feedback } from '../../../../api/dashboard/contract/feedback.ts';
import { may, useProject } from '../../data/place.ts';
import { feedbackQuery, useSend } from '../../data/queries.ts';
import { showFailure } from '../../data/toasts.ts';
import { Button } from '../controls/button.tsx';
import { Badge } from '../feedback/badge.tsx';
import { Empty, Loaded, More } from '../feedback/loaded.tsx';
import { RelativeTime } from '../text/format.tsx';

const STATUSES: readonly [Feedback['status'], string][] = [
  ['pending', 'Pending'],
  ['in_progress', 'In progress'],
  ['resolved', 'Resolved'],
  ['dismissed', 'Dismissed'],
];

/** What readers said of pages, newest first. */
export function FeedbackList() {
  const { project } = useProject();
  const feedback = useInfiniteQuery(feedbackQuery(project.id));
  return (
    <>
      <section className="card" aria-label="Feedback on pages">
        <Loaded query={feedback}>
          {({ pages }) => {
            const list = pages.flatMap(page => page.feedback);
            return list.length === 0 ? (
              <Empty icon="questions" title="No feedback yet">
                Pages send it to the feedback endpoint, agents of readers by MCP.
              </Empty>
            ) : (
              <ul className="list">
                {list.map(each => (
                  <FeedbackRow key={each.id} feedback={each} />
                ))}
              </ul>
            );
          }}
        </Loaded>
      </section>
      <More query={feedback}>Show more feedback</More>
    </>
  );
}

function FeedbackRow({ feedback }: { feedback: Feedback }) {
  const { params } = useProject();
  const { path, helpful, comment, contact, source, createdAt } = feedback;
  return (
    <li className="card-pad question">
      <div className="row-between">
        <h2>
          <Link
            to="/$organization/$domain/docs/$"
            params={{ ...params, _splat: path.replace(/^\//, '') }}
          >
            {path}
          </Link>
        </h2>
        <span className="row small faint">
          {source === 'agent' && <Badge>by an agent</Badge>}
          {helpful !== null && (
            <Badge tone={helpful ? 'good' : 'warn'}>{helpful ? 'helpful' : 'not helpful'}</Badge>
          )}
          <RelativeTime at={createdAt} />
        </span>
      </div>
      {comment !== null && <p>{comment}</p>}
      {contact !== null && <p className="small soft">Answer to: {contact}</p>}
      <FeedbackActions feedback={feedback} />
    </li>
  );
}

function FeedbackActions({ feedback: { id, path, comment, status } }: { feedback: Feedback }) {
  const { organization, project, params } = useProject();
  const navigate = useNavigate();
  const change = useSend('PATCH /projects/:projectId/feedback/:id');
  const start = useSend('POST /projects/:projectId/feedback/:id/job');
  if (!may(organization.role, 'member')) return <Badge>{new Map(STATUSES).get(status)}</Badge>;
  const at = { projectId: project.id, id };
  const begin = async () => {
    const job = await start.mutateAsync({ params: at });
    await navigate({
      to: '/$organization/$domain/jobs/$jobId',
      params: { ...params, jobId: job.id },
    });
  };
  return (
    <div className="row">
      <select
        className="input input-inline"
        aria-label={`Status of the feedback on ${path}`}
        value={status}
        disabled={change.isPending}
        onChange={({ target }) => {
          const [wanted] = STATUSES.find(([each]) => each === target.value) ?? [status];
          change.mutateAsync({ params: at, body: { status: wanted } }).catch(showFailure);
        }}
      >
        {STATUSES.map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </select>
      {comment !== null && status === 'pending' && (
        <Button
          small
          busy={start.isPending}
          aria-label={`Start a job that looks into the feedback on ${path}`}
          onClick={() => {
            begin().catch(showFailure);
          }}
        >
          Start a job that looks into this
        </Button>
      )}
    </div>
  );
}
