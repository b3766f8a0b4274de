import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { SEARCH_ATTRIBUTES } from '../shared/jobs/attribute-names.ts';
import type { WaitingFor } from '../shared/jobs/waiting.ts';
import type { JobState } from './job-state.ts';

const STATUS = defineSearchAttributeKey(SEARCH_ATTRIBUTES.status, SearchAttributeType.KEYWORD);
const PULL_REQUEST = defineSearchAttributeKey(
  SEARCH_ATTRIBUTES.pullRequest,
  SearchAttributeType.KEYWORD,
);
const OUTCOME = defineSearchAttributeKey(SEARCH_ATTRIBUTES.outcome, SearchAttributeType.KEYWORD);
const TITLE = defineSearchAttributeKey(SEARCH_ATTRIBUTES.title, SearchAttributeType.TEXT);
const MARKS = { pending: ' ', in_progress: '~', completed: 'x', cancelled: '-' } as const;

/** What the search attributes contain, of the start or of the run before. */
export function listedNow(): JobState['listed'] {
  const { typedSearchAttributes: attributes } = workflowInfo();
  return {
    status: attributes.get(STATUS) ?? '',
    prLink: attributes.get(PULL_REQUEST) ?? null,
  };
}

/** Updates what Temporal's Web UI shows in a job's details. */
export function showDetails(job: JobState): void {
  setCurrentDetails(currentDetails(job));
}

/**
 * Updates what Temporal's Web UI shows in its lists and in a job's details. Each change in the
 * lists is an event of the history and a write of the server: within a turn, `showDetails` will do.
 */
export function show(job: JobState): void {
  showDetails(job);
  const { prLink, title, outcome } = job.durable;
  const status = job.archivedAt ? 'archived' : job.durable.status;
  if (job.listed.status === status && job.listed.prLink === prLink) return;
  job.listed = { status, prLink };
  const values = [
    { key: STATUS, value: status },
    ...(prLink ? [{ key: PULL_REQUEST, value: prLink }] : []),
    ...(title === null ? [] : [{ key: TITLE, value: title }]),
    ...(outcome ? [{ key: OUTCOME, value: status === 'active' ? null : outcome }] : []),
  ].filter(({ key }) => job.attributes.includes(key.name));
  // One that the server does not have would fail the workflow task again and again.
  if (values.length > 0) upsertSearchAttributes(values);
}

/** In Markdown, under "User Metadata" while the job is open. */
function currentDetails({ durable, ...job }: JobState): string {
  const { branch, prLink, inbox, todos } = durable;
  const lines = [
    `**${durable.title ?? job.jobId}**`,
    '',
    `- status: ${durable.status}${job.archivedAt ? `, archived ${job.archivedAt}` : ''}`,
    `- turn ${durable.turn}, step ${job.step}`,
  ];
  if (branch) lines.push(`- branch: \`${branch}\`${durable.ref ? '' : ' (not pushed yet)'}`);
  if (prLink) lines.push(`- pull request: ${prLink}`);
  if (inbox.length > 0)
    lines.push(`- ${inbox.length} instruction${inbox.length === 1 ? '' : 's'} waiting`);
  const { waitingFor } = durable;
  if (waitingFor && durable.status !== 'active')
    lines.push(`- waiting for ${waitingFor}, by ${signalsFor(waitingFor)}`);
  if (durable.messageToUser && durable.status !== 'active') lines.push('', durable.messageToUser);
  if (todos.length > 0)
    lines.push('', '**Todos**', '', ...todos.map(one => `- [${MARKS[one.status]}] ${one.content}`));
  const { count, newest } = job.ignored;
  if (count > 0)
    lines.push('', `**Ignored signals** (${count})`, '', ...newest.map(reason => `- ${reason}`));
  return lines.join('\n');
}

function signalsFor(waitingFor: WaitingFor): string {
  if (waitingFor === 'approval') return 'the signals `approve`, `decline` or `message`';
  return `the signal \`${waitingFor === 'budget' ? 'budget' : 'message'}\``;
}
