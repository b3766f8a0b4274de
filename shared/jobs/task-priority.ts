import type { Priority } from '@temporalio/common';

/** Temporal's priority keys: smaller goes first, 3 is the default of workflows without one. */
const KEYS = { person: 2, api: 3, automation: 4, indexing: 5 } as const;

/** Who waits for the work: a person at the dashboard, a program, an automation, or no one. */
export type WaitedForBy = keyof typeof KEYS;

/**
 * The place of a project's tasks in a queue that is longer than its workers are quick: first who
 * waits, then each project in turn. The turns need `matching.enableFairness` on the server; without
 * it, the key has no effect. Activities inherit it.
 */
export function taskPriority(projectId: string, waitedForBy: WaitedForBy): Priority {
  return { priorityKey: KEYS[waitedForBy], fairnessKey: projectId };
}
