import type { ProjectUse } from '../db/automations/project-use.ts';
import type { Config } from '../shared/config.ts';
import type { Cause } from '../shared/jobs/automation.ts';

/** Why a run may not start now. `again`: milliseconds; null: it never will. */
export interface HeldBack {
  why: string;
  again: number | null;
}

/** A run that waits for a person looks again after this long. */
const LOOK_AGAIN_MS = 60_000;
/** What was held back for so long is no news any more. */
export const HELD_FOR_MS = 7 * 86_400_000;

type Limits = Pick<
  Config,
  | 'AUTOMATION_MAX_OPEN_PULL_REQUESTS'
  | 'AUTOMATION_MAX_RUNS_PER_HOUR'
  | 'AUTOMATION_MAX_CHECKS_PER_HOUR'
  | 'AUTOMATION_MONTHLY_COST_LIMIT_USD'
>;

/**
 * The brake that holds a run back; undefined: none. `holder`: the id of the automation or
 * preparation whose pull request it is for. A person who starts a run has looked, so that
 * only the cost holds it back. A change waits for its turn; what a schedule starts comes again.
 */
export function brakeFor(
  limits: Limits,
  use: ProjectUse,
  { holder, kind, waitedMs }: { holder: string; kind: Cause['kind']; waitedMs: number },
): HeldBack | undefined {
  const byHand = kind === 'hand';
  const held = costBrake(limits, use) ?? (byHand ? undefined : otherBrake(limits, use, holder));
  if (!held) return undefined;
  const waits = kind === 'change' && waitedMs < HELD_FOR_MS;
  return waits ? held : { ...held, again: null };
}

/** Of a change that the model is to judge; `freeInSeconds`: until it may judge one more. */
export function checkBrake(
  { AUTOMATION_MAX_CHECKS_PER_HOUR: most }: Limits,
  freeInSeconds: number,
  waitedMs: number,
): HeldBack {
  return {
    why: `${most} changes were checked within an hour (AUTOMATION_MAX_CHECKS_PER_HOUR).`,
    again: waitedMs < HELD_FOR_MS ? freeInSeconds * 1000 : null,
  };
}

function costBrake(limits: Limits, use: ProjectUse): HeldBack | undefined {
  const { AUTOMATION_MONTHLY_COST_LIMIT_USD: most } = limits;
  if (use.costMicroUsd < most * 1e6) return undefined;
  return {
    why: `The automations of this project may spend $${most} per month (AUTOMATION_MONTHLY_COST_LIMIT_USD).`,
    again: 60 * LOOK_AGAIN_MS,
  };
}

function otherBrake(
  limits: Limits,
  { openPullRequests, runsThisHour, freeInSeconds }: ProjectUse,
  holder: string,
): HeldBack | undefined {
  const { AUTOMATION_MAX_OPEN_PULL_REQUESTS: most, AUTOMATION_MAX_RUNS_PER_HOUR: runs } = limits;
  if (openPullRequests.length >= most && !openPullRequests.includes(holder))
    return {
      why: `${most} automations have an open pull request (AUTOMATION_MAX_OPEN_PULL_REQUESTS): merge or close one.`,
      again: LOOK_AGAIN_MS,
    };
  if (runsThisHour >= runs)
    return {
      why: `${runs} runs have started within an hour (AUTOMATION_MAX_RUNS_PER_HOUR).`,
      again: Math.max(1, freeInSeconds) * 1000,
    };
  return undefined;
}
