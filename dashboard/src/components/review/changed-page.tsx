import '../../styles/page-body.css';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { FileDiff, PullRequestDetail } from '../../../../shared/dashboard/jobs.ts';
import { read } from '../../data/queries.ts';
import { useProject } from '../../data/place.ts';
import { Loaded } from '../feedback/loaded.tsx';
import { PageTree } from '../reader/page-tree.tsx';
import { addressPath, SourceProvider } from '../reader/site-source.ts';
import { projectSource } from '../reader/sources.ts';

/** The page as it becomes, with what was added and removed marked in it. */
export function ChangedPage({
  file,
  pull,
  projectId,
}: {
  file: FileDiff;
  pull: PullRequestDetail;
  projectId: string;
}) {
  const { params } = useProject();
  const page = useQuery(
    read('GET /projects/:projectId/pulls/:number/page', {
      params: { projectId, number: pull.number },
      query: { file: file.path, from: file.from ?? undefined },
    }),
  );
  const source = useMemo(() => {
    const address = (path: string, hash?: string) =>
      `/dashboard/${params.organization}/${params.domain}/docs${addressPath(path)}` +
      `?ref=${encodeURIComponent(JSON.stringify(pull.head))}${hash ? `#${encodeURIComponent(hash)}` : ''}`;
    return projectSource(projectId, pull.head, {
      address,
      go: (path, hash) => location.assign(address(path, hash)),
    });
  }, [projectId, pull.head, params.organization, params.domain]);
  return (
    <SourceProvider value={source}>
      <Loaded query={page} lines={5}>
        {({ nodes }) => (
          <div className="page-body changed-page" role="region" aria-label={`Page ${file.path}`}>
            <PageTree nodes={nodes} />
          </div>
        )}
      </Loaded>
    </SourceProvider>
  );
}
