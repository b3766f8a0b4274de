import { defineSignal, proxyActivities, setCurrentDetails, setHandler } from '@temporalio/workflow';
import {
  INDEX_SIGNAL,
  type IndexActivities,
  type IndexInput,
  type IndexReport,
} from '../shared/search/index-site.ts';

export const changedSignal = defineSignal(INDEX_SIGNAL);

const { indexPages } = proxyActivities<IndexActivities>({
  // The first index of a large site takes minutes; what is staged stays staged, so that a retry
  // goes on from there.
  startToCloseTimeout: '1h',
  heartbeatTimeout: '30s',
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  // Given up after an hour or so: the next request or the schedule begins again.
  retry: {
    initialInterval: '1s',
    backoffCoefficient: 2,
    maximumInterval: '2m',
    maximumAttempts: 30,
  },
});

/**
 * Brings a site's search index to its repository's newest commit, once more for what changed
 * meanwhile.
 */
export async function indexSite(input: IndexInput): Promise<IndexReport | null> {
  let changed = true;
  let report: IndexReport | null = null;
  setHandler(
    changedSignal,
    () => {
      changed = true;
    },
    { description: 'The base branch moved: index once more' },
  );
  while (changed) {
    changed = false;
    report = await indexPages.executeWithOptions({ summary: input.domain }, [input]);
    setCurrentDetails(
      report
        ? `${report.pages} pages at ${report.commit.slice(0, 10)}, ${report.built} built anew`
        : 'The project is gone.',
    );
  }
  return report;
}
