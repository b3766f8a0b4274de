import type { Automation } from '../../db/automations/automations.ts';
import type { Run } from '../../db/automations/runs.ts';
import { linkNow } from '../../hosts/registry.ts';
import type { Trigger } from '../../shared/jobs/automation.ts';
import type { AutomationBody, RunBody } from '../../shared/jobs/automation-schemas.ts';
import type { Config } from '../../shared/config.ts';
import type { HostKind } from '../../shared/host-kind.ts';

export function automationBody(
  config: Config,
  host: HostKind,
  automation: Automation,
  lastRun: Run | undefined,
): AutomationBody {
  const { id, name, path, definition, problem, pausedAt, pausedWhy, jobId } = automation;
  return {
    ...{ id, name, path, jobId },
    trigger: definition === null ? '' : triggerText(definition.trigger),
    state: definition === null ? 'invalid' : pausedAt ? 'paused' : 'active',
    note: problem ?? pausedWhy,
    lastRun: lastRun ? runBody(config, host, lastRun) : null,
  };
}

export function runBody(config: Config, host: HostKind, run: Run): RunBody {
  const { id, cause, state, outcome, reason, pages, jobId, prLink } = run;
  return {
    ...{ id, state, outcome, reason, pages, jobId },
    cause: cause.kind,
    about: aboutText(run),
    url: cause.kind === 'change' ? linkNow(config, cause.change.host, cause.change.url) : null,
    prLink: linkNow(config, host, prLink),
    createdAt: run.createdAt.toISOString(),
    finishedAt: run.finishedAt?.toISOString() ?? null,
  };
}

/** What is so much later than it was due has been made good. */
const LATE_MS = 10 * 60_000;

function aboutText({ cause, createdAt }: Run): string {
  switch (cause.kind) {
    case 'schedule': {
      const isLate = createdAt.getTime() - Date.parse(cause.dueAt) > LATE_MS;
      return `due at ${cause.dueAt}${isLate ? ', caught up' : ''}`;
    }
    case 'hand':
      return '';
    case 'index':
      return `docs at ${cause.commit.slice(0, 10)}`;
    case 'change': {
      const { repository, number, commit, title, at } = cause.change;
      const name = number === null ? `@${commit.slice(0, 10)}` : `#${number}`;
      const isLate = createdAt.getTime() - Date.parse(at) > LATE_MS;
      return `${repository}${name}: ${title}${isLate ? ', caught up' : ''}`;
    }
  }
}

function triggerText(trigger: Trigger): string {
  switch (trigger.kind) {
    case 'cron':
      return `${trigger.cron} (${trigger.timezone})`;
    case 'merge':
      return `merges into ${trigger.branch} of ${trigger.repository}`;
    case 'push':
      return `pushes to ${trigger.branch} of ${trigger.repository}`;
    case 'index':
      return 'each change of the docs';
    case 'manual':
      return 'by hand';
  }
}
