import type { Workspace } from '../../shared/workspace.ts';
import { addressItem } from './content/addresses.ts';
import { plainText } from './content/plain-text.ts';
import { fileType, isNavigationName } from './file-types.ts';

/** Folders whose files generators publish at the top of the site. */
const PUBLISHED =
  /(?:^|\/)(?:public|static|assets|images?|img|media|_static|_images|files|downloads?)\//;

/**
 * Whether a path of a page leads to what readers may see: a page, an image, or what is in the docs
 * folder or in a folder for such files. A path to no file leads to nothing, unless it begins with a
 * slash: then a machine that builds the site may have one.
 */
export function isSeenByReaders(path: string, workspace: Workspace, docsFolder: string): boolean {
  const found = candidates(path.replace(/^\//, ''), docsFolder).filter(file => workspace.has(file));
  return found.length === 0
    ? !path.startsWith('/')
    : found.some(file => isShown(file, workspace, docsFolder));
}

function isShown(file: string, workspace: Workspace, docsFolder: string): boolean {
  if (!workspace.entry(file)?.mode.startsWith('100') || isNavigationName(file)) return false;
  const type = fileType(file, workspace.snapshot, docsFolder);
  const isInDocs = docsFolder !== '' && file.startsWith(`${docsFolder}/`);
  if (type === 'page') return docsFolder === '' || isInDocs;
  return type === 'svg' || type === 'binary' || isInDocs || PUBLISHED.test(file);
}

function candidates(path: string, docsFolder: string): string[] {
  const parent = docsFolder.split('/').slice(0, -1).join('/');
  const folders = [...new Set(['', docsFolder, parent])];
  const below = ['', 'public/', 'static/', '.vitepress/public/', 'assets/', 'src/', 'docs/'];
  return folders.flatMap(folder =>
    below.map(one => `${folder === '' ? '' : `${folder}/`}${one}${path}`),
  );
}

/** Whether an end of a redirect is a plain path of the site: from its top, in plain characters. */
export function isInsideTarget(path: string): boolean {
  const isPlain = /^[\w./~%+@()-]+(?:#[\w.-]*)?$/.test(path) && !path.startsWith('//');
  return isPlain && addressItem(path.replace(/^\//, ''), 'link', 'page.md') === undefined;
}

/** Whether it is a path of the site that stays in it, with or without parameters such as `:slug*`. */
export function isSitePath(path: string): boolean {
  const isPlain = /^(?![a-z][a-z\d+.-]*:)[\p{L}\p{M}\p{N}._~%+@()/:*?=&#,$!-]*$/iu.test(path);
  try {
    return isPlain && !/\/\/|(?:^|\/)\.\.(?:\/|$)|[\\\p{Cc}]/u.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}

/** Whether a text could be a label of any generator's navigation. */
export function isPlainLabel(text: string): boolean {
  const isWords = !/[<>\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]|\{(?![\w-]*\})/u.test(text);
  return isWords && plainText(text);
}
