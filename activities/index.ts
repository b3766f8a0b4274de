import { createCallModel } from './call-model.ts';
import { countCrashes } from './count-crashes.ts';
import type { ActivityDeps } from '../agent/deps.ts';
import { createPrepare } from './prepare.ts';
import { createOpenPullRequest } from './open-pull-request.ts';
import { createPassWait } from './pass-wait.ts';
import { createPlanPublish } from './plan-publish.ts';
import { createPush } from './push.ts';
import { createReadInstructions, createStoreInstructions } from './read-instructions.ts';
import { createArchiveJob, createReportTurn } from './report-turn.ts';
import { createRunTool } from './run-tool.ts';
import { createSettleTurn } from './settle-turn.ts';
import { type Activity, tellRetries } from './tell-retries.ts';
import { tools } from '../agent/tools/registry.ts';
import { INVALID_CALL, type JobActivities, type JobTools } from '../shared/jobs/activity-types.ts';

/** What takes its worker down each time, or has a defect, ends the turn after some attempts. */
const COUNTED = new Set(['prepare', 'settleTurn', 'planPublish', 'push', 'openPullRequest']);

/** What the worker registers for jobs: the named activities, and one type for each tool. */
export function createJobActivities(deps: ActivityDeps): JobActivities & JobTools {
  const runTool = tellRetries(deps, countCrashes(createRunTool(deps) as Activity));
  const byTool = Object.fromEntries(
    [...tools.map(tool => tool.name), INVALID_CALL].map(name => [name, runTool]),
  );
  const named: JobActivities = {
    prepare: createPrepare(deps),
    readInstructions: createReadInstructions(deps),
    storeInstructions: createStoreInstructions(deps),
    callModel: createCallModel(deps),
    settleTurn: createSettleTurn(deps),
    planPublish: createPlanPublish(deps),
    push: createPush(deps),
    openPullRequest: createOpenPullRequest(deps),
    reportTurn: createReportTurn(deps),
    passWait: createPassWait(deps),
    archiveJob: createArchiveJob(deps),
  };
  const same = (activity: Activity) => activity;
  const telling = Object.fromEntries(
    Object.entries(named).map(([name, activity]) => [
      name,
      tellRetries(deps, (COUNTED.has(name) ? countCrashes : same)(activity as Activity)),
    ]),
  );
  return { ...byTool, ...telling } as unknown as JobActivities & JobTools;
}
