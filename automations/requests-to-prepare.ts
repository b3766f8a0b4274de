import type { Automation } from '../db/automations/automations.ts';
import type { Preparation } from '../db/automations/preparations.ts';
import type { OpenPullRequest, RepositoryHost } from '../hosts/host.ts';
import { asksToPrepare } from '../hosts/mention.ts';
import { hostOf } from '../hosts/registry.ts';
import { PREPARE_LABEL, type WatchedBranch } from '../shared/jobs/automation.ts';
import type { AutomationDeps } from './deps.ts';

/** Comments on so many pull requests are read at once, the oldest change first; then the next ones. */
const MOST_READ = 20;
/** Hosts' lists are late. */
const OVERLAP_MS = 60_000;

interface Requests {
  asked: Set<number>;
  /** Up to which change comments were read. */
  readTo: Date | undefined;
}

/** By a label, which only who may triage can add, or by a comment of a person who may write. */
export async function readRequests(
  { config }: AutomationDeps,
  host: RepositoryHost,
  { requestsSeenAt }: Automation,
  { host: kind, repository }: WatchedBranch,
  open: readonly OpenPullRequest[],
  followed: readonly Preparation[],
): Promise<Requests> {
  const asked = new Set(
    open.filter(({ labels }) => labels.includes(PREPARE_LABEL)).map(({ number }) => number),
  );
  const mention = hostOf(kind).webhook?.mention(config);
  if (mention === undefined || !host.reviewComments) return { asked, readTo: undefined };
  const changed = open
    .filter(
      ({ number, updatedAt }) =>
        Date.parse(updatedAt) >= requestsSeenAt.getTime() &&
        !asked.has(number) &&
        !followed.some(each => each.number === number),
    )
    .toSorted((a, b) => Date.parse(a.updatedAt) - Date.parse(b.updatedAt));
  // All of a second: a label that many got at once would hold back the rest.
  const second = changed[MOST_READ - 1]?.updatedAt;
  const read = changed.filter(({ updatedAt }, i) => i < MOST_READ || updatedAt === second);
  for (const { number } of read) {
    const address = { host: kind, repository, readOnly: true };
    const comments = await host.reviewComments(address, number);
    if (comments.some(({ text }) => asksToPrepare(text, mention))) asked.add(number);
  }
  const newest = Math.max(...open.map(({ updatedAt }) => Date.parse(updatedAt)));
  const all = open.length > 0 ? new Date(newest - OVERLAP_MS) : undefined;
  const last = read.at(-1);
  return { asked, readTo: read.length < changed.length && last ? new Date(last.updatedAt) : all };
}
