import type { Log } from '../../shared/logger.ts';
import type { Config } from '../../shared/config.ts';
import { deleteOldLimitCounts } from '../../db/assistant/limits.ts';
import { deleteOldQuestions } from '../../db/assistant/questions.ts';
import { deleteOldSearches } from '../../db/assistant/searches.ts';
import { deleteOldPageFeedback } from '../../db/assistant/page-feedback.ts';
import { deleteEndedAnswers } from '../../db/assistant/running-answers.ts';
import { deleteOldThreads } from '../../db/assistant/threads.ts';
import { deleteOldRuns } from '../../db/automations/late-runs.ts';
import { deleteExpiredAudit } from '../../db/audit/audit-log.ts';
import { deleteOldIdempotencyKeys } from '../../db/jobs/idempotency.ts';
import { deleteOldModelCalls } from '../../db/models/model-calls.ts';
import { deleteExpiredSignIns } from '../../db/people/sessions.ts';
import { deleteOldWebhookDeliveries } from '../../db/outgoing/deliveries.ts';
import type { Pool } from '../../db/pool.ts';
import { deleteUnusedUploads } from '../../db/uploads/uploads.ts';
import { forgetDeliveries, forgetPullRequests } from '../../db/webhook/deliveries.ts';

/** Rows of one statement: it locks them, and is done within a fraction of a second. */
const BATCH = 1_000;
/** Of a round; the rest is left for the next one. */
const ROUND_MS = 20_000;
/** The state of a pull request that no job has is of no use; a restored backup may bring its job. */
const ENDED_PULL_REQUEST_DAYS = 30;
/** Ten times as long as a delivery is tried. */
const WEBHOOK_DELIVERY_DAYS = 30;

interface Deps {
  config: Config;
  pool: Pool;
  log: Log;
}

/**
 * Deletes what has reached its retention, apart from jobs (expired-jobs.ts): a batch of each kind in
 * turn, so that a kind with much to delete keeps no other one waiting.
 */
export async function removeOldRows({ config, pool, log }: Deps): Promise<void> {
  const end = Date.now() + ROUND_MS;
  let waiting = Object.entries(kinds(config, pool));
  while (waiting.length > 0 && Date.now() < end) {
    const more: typeof waiting = [];
    for (const [kind, remove] of waiting) {
      const removed = await remove().catch((error: unknown) => {
        log.warn({ err: error, kind }, 'what has reached its retention was not deleted');
        return 0;
      });
      if (removed >= BATCH) more.push([kind, remove]);
    }
    waiting = more;
  }
}

/** Each deletes a batch and says how many rows it had. */
function kinds(config: Config, pool: Pool): Record<string, () => Promise<number>> {
  return {
    idempotencyKeys: () =>
      deleteOldIdempotencyKeys(pool, config.IDEMPOTENCY_RETENTION_HOURS, BATCH),
    uploads: () => deleteUnusedUploads(pool, BATCH),
    threads: () => deleteOldThreads(pool, config.THREAD_RETENTION_DAYS, BATCH),
    runningAnswers: () => deleteEndedAnswers(pool, BATCH),
    pageFeedback: () => deleteOldPageFeedback(pool, config.THREAD_RETENTION_DAYS, BATCH),
    searches: () => deleteOldSearches(pool, config.THREAD_RETENTION_DAYS, BATCH),
    questions: () => deleteOldQuestions(pool, config.THREAD_RETENTION_DAYS, BATCH),
    modelCalls: () => deleteOldModelCalls(pool, config.USAGE_RETENTION_DAYS, BATCH),
    audit: () => deleteExpiredAudit(pool, config.AUDIT_RETENTION_DAYS, BATCH),
    automationRuns: () => deleteOldRuns(pool, config.AUTOMATION_RUN_RETENTION_DAYS, BATCH),
    deliveries: () => forgetDeliveries(pool, BATCH),
    webhookDeliveries: () => deleteOldWebhookDeliveries(pool, WEBHOOK_DELIVERY_DAYS, BATCH),
    pullRequests: () => forgetPullRequests(pool, ENDED_PULL_REQUEST_DAYS, BATCH),
    limitCounts: async () => {
      await deleteOldLimitCounts(pool); // few
      return 0;
    },
    signIns: async () => {
      await deleteExpiredSignIns(pool); // few
      return 0;
    },
  };
}
