const TRAILER = 'Docent-Job: ';

/** A commit's message, whose last line names the job. */
export function commitMessage(title: string, jobId: string): string {
  return `${title}\n\n${TRAILER}${jobId}\n`;
}

/** The job that a commit's message names. */
export function jobOfCommit(message: string): string | undefined {
  const last = message.trimEnd().split('\n').at(-1) ?? '';
  return last.startsWith(TRAILER) ? last.slice(TRAILER.length) : undefined;
}
