import { createTwoFilesPatch } from 'diff';
import type { ChangedFile } from '../db/jobs/conversation.ts';

const DEV_NULL = '/dev/null';

/**
 * A unified diff that `git apply` accepts; binary files are only named. Empty if nothing was
 * changed.
 */
export function unifiedDiff(files: readonly ChangedFile[]): string {
  return files.map(filePatch).join('');
}

function filePatch({ path, before, after }: ChangedFile): string {
  const from = `a/${path}`;
  const to = `b/${path}`;
  const mode =
    before === null ? 'new file mode 100644\n' : after === null ? 'deleted file mode 100644\n' : '';
  const head = `diff --git ${from} ${to}\n${mode}`;
  if (isBinary(before) || isBinary(after)) {
    return `${head}Binary files ${before ? from : DEV_NULL} and ${after ? to : DEV_NULL} differ\n`;
  }
  const patch = createTwoFilesPatch(
    before ? from : DEV_NULL,
    after ? to : DEV_NULL,
    before?.toString('utf8') ?? '',
    after?.toString('utf8') ?? '',
    undefined,
    undefined,
    { context: 3 },
  );
  // The library's own first line is a row of "=", which git does not know; a patch without hunks
  // has no file lines in git.
  const lines = patch.slice(patch.indexOf('--- '));
  return lines.includes('\n@@ ') ? head + lines : head;
}

function isBinary(bytes: Buffer | null): boolean {
  return bytes !== null && bytes.subarray(0, 8_000).includes(0);
}
