import type { UploadedFile } from '../../../../api/dashboard/contract/projects/uploaded-file.ts';

/** What is sent of a folder. */
export interface Upload {
  files: UploadedFile[];
  bytes: number;
  /** Markdown and the like among them. */
  pages: number;
  leftOut: number;
  /** Why it cannot be sent. */
  problem: string | undefined;
}

const LEFT_OUT = /(^|\/)(\.git|node_modules|\.DS_Store|\.venv|__pycache__|\.cache)(\/|$)/;
const PAGE = /\.(mdx?|rst|adoc|html?)$/i;
const MAX_FILE = 1024 * 1024;
const MAX_BYTES = 3_000_000;
const MAX_FILES = 2_000;

/** Reads a folder that a person chose: without dependencies, git's folder and large files. */
export async function readFolder(chosen: readonly File[]): Promise<Upload> {
  const wanted = chosen.filter(
    file => !LEFT_OUT.test(pathIn(file)) && file.size <= MAX_FILE && pathIn(file) !== '',
  );
  const bytes = wanted.reduce((sum, { size }) => sum + size, 0);
  const pages = wanted.filter(({ name }) => PAGE.test(name)).length;
  const problem = problemOf(wanted.length, bytes, pages);
  return {
    files: problem === undefined ? await Promise.all(wanted.map(read)) : [],
    bytes,
    pages,
    leftOut: chosen.length - wanted.length,
    problem,
  };
}

function problemOf(files: number, bytes: number, pages: number): string | undefined {
  if (pages === 0) return 'This folder has no pages.';
  if (files > MAX_FILES) return `This folder has ${files} files: at most ${MAX_FILES} can be sent.`;
  if (bytes > MAX_BYTES)
    return `This folder has ${(bytes / 1e6).toFixed(1)} MB: at most 3 MB can be sent.`;
  return undefined;
}

/** Without the name of the chosen folder. */
function pathIn({ webkitRelativePath: path }: File): string {
  return path.slice(path.indexOf('/') + 1);
}

async function read(file: File): Promise<UploadedFile> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  // In pieces: a call has a limit of arguments.
  for (let i = 0; i < bytes.length; i += 0x8000)
    text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return { path: pathIn(file), content: btoa(text) };
}
