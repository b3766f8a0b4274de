import type { ActivityDeps } from '../agent/deps.ts';
import type { Gap } from '../db/assistant/gaps.ts';
import type { Automation } from '../db/automations/automations.ts';
import type { Preparation } from '../db/automations/preparations.ts';
import type { Run } from '../db/automations/runs.ts';
import type { Project } from '../db/projects/projects.ts';

/** An instruction for a job of an automation. */
export interface NewTurn {
  run: Run;
  automation: Automation;
  project: Project;
  prompt: string;
  draft: boolean;
  /** It goes to a job of its own; undefined: to the standing job. */
  preparation: Preparation | undefined;
  /** Questions of readers that the job is to answer. */
  gaps: Gap[];
}

/** What runs of automations work with; the job service is behind two functions. */
export interface AutomationDeps extends ActivityDeps {
  /** A repeat changes nothing. Throws `Problem`. */
  startRunTurn(turn: NewTurn): Promise<void>;
  /** The id of the standing job, which may not exist yet. */
  standingJob(automationId: string): Promise<string>;
}

/** The attempt of an activity that a run is worked on in. */
export interface RunAttempt {
  signal: AbortSignal;
  runId: string;
  activityId: string;
  attempt: number;
}
