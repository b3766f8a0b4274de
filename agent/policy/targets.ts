import type { Workspace } from '../../shared/workspace.ts';
import { addressItem } from './content/addresses.ts';
import { fileType, isNavigationName } from './file-types.ts';

/** Folders whose files generators publish at the top of the site. */
const PUBLISHED =
  /(?:^|\/)(?:public|static|assets|images?|img|media|_static|_images|files|downloads?)\//;

/**
 * Whether a path, from the top of the repository or of the site, is that of a file which readers may
 * see: a page, an image, or what is in the docs folder or beside it in a folder for such files.
 */
export function isSeenByReaders(path: string, workspace: Workspace, docsFolder: string): boolean {
  const prefix = docsFolder === '' ? '' : `${docsFolder}/`;
  return candidates(path, docsFolder).some(file => {
    const mode = workspace.entry(file)?.mode;
    if (mode === undefined || !mode.startsWith('100') || isNavigationName(file)) return false;
    const type = fileType(file, workspace.snapshot, docsFolder);
    const isInDocs = docsFolder !== '' && file.startsWith(prefix);
    return (
      type === 'page' || type === 'svg' || type === 'binary' || isInDocs || PUBLISHED.test(file)
    );
  });
}

function candidates(path: string, docsFolder: string): string[] {
  const parent = docsFolder.split('/').slice(0, -1).join('/');
  const folders = [...new Set(['', docsFolder, parent])];
  const below = ['', 'public/', 'static/', '.vitepress/public/', 'assets/', 'src/', 'docs/'];
  return folders.flatMap(folder =>
    below.map(one => `${folder === '' ? '' : `${folder}/`}${one}${path}`),
  );
}

/**
 * Whether an entry of the navigation or a redirect, written in `from`, leads to a path of the site or
 * to the web and stays in the repository.
 */
export function isInsideTarget(address: string, from: string): boolean {
  return !/[\s"'<>`{}]/.test(address) && addressItem(address, 'link', from) === undefined;
}
