import type { Job } from '../../db/jobs/job.ts';
import { linkNow } from '../../hosts/registry.ts';
import { waitingFor } from '../../jobs/waiting/first-answer.ts';
import { rowStatus } from '../../jobs/read-job.ts';
import type { Config } from '../../shared/config.ts';
import type { JobBody } from './schemas.ts';

/** The job as its row has it. */
export function jobBody(config: Config, job: Job): JobBody {
  const status = rowStatus(job);
  const waits = waitingFor(job);
  return {
    id: job.id,
    status,
    source: { repository: linkNow(config, job.host, job.repositoryUrl), ref: job.ref },
    model: job.model,
    prLink: status === 'active' ? null : linkNow(config, job.host, job.prLink),
    ...(status !== 'active' && job.previewUrl !== null && { previewUrl: job.previewUrl }),
    ...(waits && { waitingFor: waits }),
    createdAt: job.createdAt.toISOString(),
    archivedAt: job.archivedAt?.toISOString() ?? null,
  };
}

/** Seconds of `Prefer: wait=N` (RFC 7240), at most 60; 0 without it. */
export function preferredWait(header: string | undefined): number {
  const [, seconds] =
    /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,6})"?\s*(?=[,;]|$)/i.exec(header ?? '') ?? [];
  return Math.min(60, Number(seconds ?? 0));
}
