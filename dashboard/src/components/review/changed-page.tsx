import '../../styles/page-body.css';
import { useQuery } from '@tanstack/react-query';
import type { FileDiff } from '../../../../api/dashboard/contract/jobs.ts';
import { Loaded } from '../feedback/loaded.tsx';
import { PageTree } from '../reader/page-tree.tsx';
import { SourceProvider } from '../reader/site-source.ts';
import type { ReviewSource } from './review-source.ts';

/** The page as it becomes, with what was added and removed marked in it. */
export function ChangedPage({ file, source }: { file: FileDiff; source: ReviewSource }) {
  const page = useQuery(source.changedPage(file));
  return (
    <SourceProvider value={source.site}>
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
