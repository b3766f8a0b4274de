import type { SiteSource } from './site-kind.ts';

/** Whether a path lies in a git submodule that the checkout does not have. */
export function submoduleTest(source: SiteSource): (path: string) => boolean {
  const written = (source.read('.gitmodules') ?? '').matchAll(/^\s*path\s*=\s*(\S+)\s*$/gm);
  const folders = Array.from(written, ([, folder = '']) => folder).filter(
    folder => !source.hasFolder(folder),
  );
  return path => folders.some(folder => path === folder || path.startsWith(`${folder}/`));
}
