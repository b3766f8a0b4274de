import { join, relative } from 'node:path';

/** Platforms know files from where the command runs, mostly the top of the repository. */
export function fileFromHere(file: string, folder: string): string {
  const here = relative('.', join(folder, file)).replaceAll('\\', '/');
  return here.startsWith('../') ? file : here;
}
