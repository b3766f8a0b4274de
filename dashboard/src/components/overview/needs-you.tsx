import { Link } from '@tanstack/react-router';
import type { Overview } from '../../../../api/dashboard/contract/overview.ts';
import { useProject } from '../../data/place.ts';
import { JobRows } from '../jobs/job-list.tsx';
import { plural } from '../text/format.tsx';

/** What waits for a person. Nothing waits: one line. */
export function NeedsYou({ needs }: { needs: Overview['needs'] }) {
  const { organization, params } = useProject();
  const { review, failed, unanswered } = needs;
  const nothing = review.length + failed.length + unanswered === 0;
  return (
    <section className="card" aria-labelledby="needs-you">
      <div className="card-head">
        <h2 id="needs-you">Needs you</h2>
        {unanswered > 0 && (
          <Link to="/$organization/$domain/questions" params={params}>
            {plural(unanswered, 'unanswered question')}
          </Link>
        )}
      </div>
      {nothing && <p className="card-pad soft">Nothing waits for you.</p>}
      {review.length > 0 && (
        <>
          <h3 className="card-pad needs-title">Pull requests to review</h3>
          <JobRows jobs={review} organization={organization.slug} />
        </>
      )}
      {failed.length > 0 && (
        <>
          <h3 className="card-pad needs-title">Failed jobs</h3>
          <JobRows jobs={failed} organization={organization.slug} />
        </>
      )}
    </section>
  );
}
