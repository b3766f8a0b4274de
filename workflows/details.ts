import type { JobState } from './job-state.ts';

const MARKS = { pending: ' ', in_progress: '~', completed: 'x', cancelled: '-' } as const;

/** What the Temporal Web UI shows under "User Metadata" while the job lives, in Markdown. */
export function currentDetails(job: JobState): string {
  const lines = [
    `**${job.title ?? job.jobId}**`,
    '',
    `- status: ${job.status}${job.archivedAt ? `, archived ${job.archivedAt}` : ''}`,
    `- turn ${job.turn}, step ${job.step}`,
  ];
  if (job.branch) lines.push(`- branch: \`${job.branch}\`${job.ref ? '' : ' (not pushed yet)'}`);
  if (job.prLink) lines.push(`- pull request: ${job.prLink}`);
  if (job.inbox.length > 0)
    lines.push(`- ${job.inbox.length} instruction${job.inbox.length === 1 ? '' : 's'} waiting`);
  if (job.messageToUser && job.status !== 'active') lines.push('', job.messageToUser);
  if (job.todos.length > 0)
    lines.push(
      '',
      '**Todos**',
      '',
      ...job.todos.map(todo => `- [${MARKS[todo.status]}] ${todo.content}`),
    );
  if (job.ignoredSignals.length > 0)
    lines.push(
      '',
      '**Ignored signals**',
      '',
      ...job.ignoredSignals.slice(-10).map(reason => `- ${reason}`),
    );
  return lines.join('\n');
}
