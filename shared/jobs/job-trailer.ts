import type { CommitAuthor } from './commit-author.ts';

const TRAILER = 'Docent-Job: ';

/** A commit's message, whose last line names the job. */
export function commitMessage(title: string, jobId: string, author?: CommitAuthor | null): string {
  const signedOff = author?.signOff ? `Signed-off-by: ${author.name} <${author.email}>\n` : '';
  return `${title}\n\n${signedOff}${TRAILER}${jobId}\n`;
}

/** The job that a commit's message names. */
export function jobOfCommit(message: string): string | undefined {
  const last = message.trimEnd().split('\n').at(-1) ?? '';
  return last.startsWith(TRAILER) ? last.slice(TRAILER.length) : undefined;
}
