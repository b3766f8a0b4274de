import { createBeginJob } from './begin-job.ts';
import { createCallModel } from './call-model.ts';
import type { ActivityDeps } from './deps.ts';
import { createPrepare } from './prepare/prepare.ts';
import { createOpenPullRequest } from './publish/open-pull-request.ts';
import { createPlanPublish } from './publish/plan-publish.ts';
import { createPush } from './publish/push.ts';
import { createReadInstructions, createStoreInstructions } from './read-instructions.ts';
import { createArchiveJob, createReportTurn } from './report-turn.ts';
import { createRunTool } from './run-tool.ts';
import { createSettleTurn } from './settle-turn.ts';
import { tools } from './tools/registry.ts';
import { INVALID_CALL, type JobActivities, type JobTools } from './types.ts';

/** What the worker registers for jobs: the named activities, and one type for each tool. */
export function createJobActivities(deps: ActivityDeps): JobActivities & JobTools {
  const runTool = createRunTool(deps);
  const byTool = Object.fromEntries(
    [...tools.map(tool => tool.name), INVALID_CALL].map(name => [name, runTool]),
  );
  const named: JobActivities = {
    beginJob: createBeginJob(deps),
    prepare: createPrepare(deps),
    readInstructions: createReadInstructions(deps),
    storeInstructions: createStoreInstructions(deps),
    callModel: createCallModel(deps),
    settleTurn: createSettleTurn(deps),
    planPublish: createPlanPublish(deps),
    push: createPush(deps),
    openPullRequest: createOpenPullRequest(deps),
    reportTurn: createReportTurn(deps),
    archiveJob: createArchiveJob(deps),
  };
  return { ...byTool, ...named } as JobActivities & JobTools;
}
