import type { Config } from '../config.ts';
import type { JobLimits } from './job.ts';

const DAY_MS = 86_400_000;

/**
 * What a workflow gets of the configuration when it starts; it keeps these limits for the run.
 */
export function jobLimits(config: Config): JobLimits {
  return {
    maxSteps: config.JOB_MAX_STEPS,
    maxTokens: config.JOB_MAX_TOKENS,
    maxRepeats: config.JOB_MAX_REPEATS,
    maxRepairRounds: config.JOB_MAX_MEND_ROUNDS,
    maxTurnMs: config.JOB_MAX_TURN_MINUTES * 60_000,
    maxQueue: config.JOB_MAX_QUEUE,
    archiveAfterMs: config.JOB_ARCHIVE_AFTER_DAYS * DAY_MS,
    continueAsNewAfterTurns: config.JOB_CONTINUE_AS_NEW_AFTER_TURNS,
    heartbeatSeconds: config.ACTIVITY_HEARTBEAT_SECONDS,
  };
}
