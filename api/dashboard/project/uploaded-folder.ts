import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { UploadedFile } from '../contract/projects/uploaded-file.ts';
import { Problem } from '../../../shared/errors.ts';

/** Letters, digits and what file names of docs have. Nothing that some file system ignores. */
const SEGMENT = /^[\p{L}\p{N}\p{M}_.,+@&'()[\] -]{1,200}$/u;
/** Git's own folder, in each spelling that a file system may take for it; `.` and `..`. */
const RESERVED = /^(\.git[. ]*|\.{1,2}[. ]*)$/i;
const MOST_SEGMENTS = 30;

/**
 * Puts the files of a folder that a browser sent into a folder of ours, while `use` runs. Throws
 * 400 for a path that cannot be one of a docs folder.
 */
export async function withUploadedFolder<T>(
  files: readonly UploadedFile[],
  use: (folder: string) => Promise<T>,
): Promise<T> {
  for (const { path } of files) if (!isUsable(path)) throw refused(path);
  const folder = await mkdtemp(join(tmpdir(), 'docent-upload-'));
  try {
    for (const { path, content } of files) {
      const file = join(folder, path);
      await mkdir(dirname(file), { recursive: true }).catch(() => {
        throw refused(path); // below another file
      });
      await writeFile(file, Buffer.from(content, 'base64'), { flag: 'wx' }).catch(() => {
        throw refused(path); // sent twice, or also a folder
      });
    }
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function isUsable(path: string): boolean {
  const segments = path.split('/');
  return (
    segments.length <= MOST_SEGMENTS &&
    segments.every(segment => SEGMENT.test(segment) && !RESERVED.test(segment))
  );
}

function refused(path: string): Problem {
  const message = `has a file that cannot be in a docs folder: ${path.slice(0, 100)}`;
  return new Problem('invalid_request', `files ${message}.`, {
    errors: [{ path: 'source.files', message }],
  });
}
