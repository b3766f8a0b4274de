import { useQuery } from '@tanstack/react-query';
import type { IndexStatus } from '../../../../api/dashboard/contract/projects/projects.ts';
import { may, type Role, useProject } from '../../data/place.ts';
import { indexQuery, useSend } from '../../data/queries.ts';
import { Button } from '../controls/button.tsx';
import { Badge } from '../feedback/badge.tsx';
import { Loaded } from '../feedback/loaded.tsx';
import { Notice } from '../feedback/notice.tsx';
import { formatNumber, RelativeTime } from '../text/format.tsx';

/** The index that search and the assistant read: its age, and a button that updates it. */
export function SearchIndex() {
  const { organization, project } = useProject();
  const status = useQuery(indexQuery(project.id));
  return (
    <section className="card" aria-labelledby="index">
      <Loaded query={status} lines={3}>
        {data => <IndexBody status={data} projectId={project.id} role={organization.role} />}
      </Loaded>
    </section>
  );
}

function IndexBody({
  status,
  projectId,
  role,
}: {
  status: IndexStatus;
  projectId: string;
  role: Role;
}) {
  const reindex = useSend('POST /projects/:projectId/index');
  return (
    <>
      <div className="card-head">
        <h2 id="index" className="row">
          Search index <RunBadge status={status} />
        </h2>
        {may(role, 'member') && (
          <Button
            small
            busy={reindex.isPending || status.run === 'running'}
            onClick={() => reindex.mutate({ params: { projectId } })}
          >
            Index now
          </Button>
        )}
      </div>
      <div className="card-pad stack">
        {reindex.error && <Notice tone="bad">{reindex.error.message}</Notice>}
        <RunFailure status={status} />
        {status.progress && <Progress {...status.progress} />}
        {status.built ? (
          <BuiltIndex built={status.built} intervalMinutes={status.intervalMinutes} />
        ) : (
          <p className="soft">
            Not built yet. Until then, the assistant answers that the docs are being read.
          </p>
        )}
      </div>
    </>
  );
}

function RunFailure({ status: { run, failure, built } }: { status: IndexStatus }) {
  if (run === 'failed')
    return (
      <Notice tone="warn">
        The last run failed. {failure ?? 'See Docent’s log.'}
        {built?.complete && ' Readers still get the previous index.'}
      </Notice>
    );
  if (run !== 'running' || failure === null) return null;
  return <Notice tone="warn">The last attempt failed: {failure} Trying again.</Notice>;
}

function Progress({ pagesRead, pagesTotal }: NonNullable<IndexStatus['progress']>) {
  return (
    <p role="status">
      {formatNumber(pagesRead)} of {formatNumber(pagesTotal)} pages read.
    </p>
  );
}

function BuiltIndex({
  built,
  intervalMinutes,
}: {
  built: NonNullable<IndexStatus['built']>;
  intervalMinutes: number;
}) {
  return (
    <dl className="facts">
      <dt>Pages</dt>
      <dd className="number">
        {formatNumber(built.pages)}, in {formatNumber(built.sections)} sections
      </dd>
      <dt>Commit</dt>
      <dd>
        <code>{built.commit.slice(0, 10)}</code>
      </dd>
      <dt>Built</dt>
      <dd>
        <RelativeTime at={built.builtAt} />
      </dd>
      <dt>Updated</dt>
      <dd>on every merge, and every {intervalMinutes} minutes</dd>
    </dl>
  );
}

function RunBadge({ status }: { status: IndexStatus }) {
  if (status.run === 'running')
    return (
      <Badge tone="accent">
        <span className="dot dot-live" />
        indexing
      </Badge>
    );
  if (status.run === 'failed') return <Badge tone="warn">last run failed</Badge>;
  if (status.run === null) return <Badge tone="warn">Temporal is not responding</Badge>;
  return status.built?.complete ? <Badge tone="good">up to date</Badge> : <Badge>empty</Badge>;
}
