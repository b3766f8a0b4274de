import type { ReviewCommentRow } from '../../../db/jobs/review-comments.ts';

type Commented = Pick<ReviewCommentRow, 'file' | 'line' | 'quote' | 'text'>;

/** One instruction to the job: its review comments, numbered, each with what it is about. */
export function followUpOf(comments: readonly Commented[]): string {
  const items = comments.map(({ file, line, quote, text }, i) => {
    const where = line === null ? file : `${file}, line ${line}`;
    const quoted = quote === '' ? '' : `\n${quote.replace(/^/gm, '> ')}`;
    return `${i + 1}. ${where}:${quoted}\n${text}`;
  });
  return `Change the pull request as these review comments ask:\n\n${items.join('\n\n')}`;
}
