import {
  defineSignal,
  ParentClosePolicy,
  patched,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  INDEX_SIGNAL,
  type IndexActivities,
  type IndexInput,
  type IndexReport,
  LOOK_WORKFLOW,
  lookWorkflowId,
} from '../shared/index-site.ts';
import { INDEX, LOOK } from './retry-policies.ts';

export const changedSignal = defineSignal(INDEX_SIGNAL);

const { indexPages } = proxyActivities<Pick<IndexActivities, 'indexPages'>>(INDEX);
const { lookAtSite } = proxyActivities<Pick<IndexActivities, 'lookAtSite'>>(LOOK);
/** A look can say which pages must be read, and these which files they are. */
const MOST_LOOKS = 3;

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
  do {
    while (changed) {
      changed = false;
      report = await indexPages.executeWithOptions({ summary: input.domain }, [input]);
      setCurrentDetails(
        report
          ? `${report.pages} pages at ${report.commit.slice(0, 10)}, ${report.built} rebuilt`
          : 'The project is gone.',
      );
    }
    if (report && patched('published-site')) await startLook(input);
    // What is pushed while the look starts.
  } while (changed);
  return report;
}

/** Nobody who waits for an index waits for the site. */
async function startLook(input: IndexInput): Promise<void> {
  const { typedSearchAttributes, priority } = workflowInfo();
  try {
    await startChild(LOOK_WORKFLOW, {
      workflowId: lookWorkflowId(input.projectId),
      args: [input],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      staticSummary: `${input.domain}: look at the published site`,
      typedSearchAttributes,
      ...(priority && { priority }),
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

/** Looks at what a site publishes, and indexes again what is known better then. */
export async function lookAtPublishedSite(input: IndexInput): Promise<void> {
  const asked = { summary: input.domain };
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    if (!(await lookAtSite.executeWithOptions(asked, [input]))) return;
    await indexPages.executeWithOptions(asked, [input]);
  }
}
