import { defineSignal, proxyActivities, setCurrentDetails, setHandler } from '@temporalio/workflow';
import {
  INDEX_SIGNAL,
  type IndexActivities,
  type IndexInput,
  type IndexReport,
} from '../shared/index-site.ts';
import { INDEX } from './retry-policies.ts';

export const changedSignal = defineSignal(INDEX_SIGNAL);

const { indexPages } = proxyActivities<IndexActivities>(INDEX);

/**
 * Brings a site's search index to its repository's newest commit, and once more for what changed
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
        ? `${report.pages} pages at ${report.commit.slice(0, 10)}, ${report.built} rebuilt`
        : 'The project is gone.',
    );
  }
  return report;
}
