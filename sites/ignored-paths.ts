import { gitIgnore } from './gitignore.ts';
import { below, folderOf, joinPath } from './kinds/paths.ts';
import { submoduleTest } from './kinds/submodules.ts';
import type { Site, SiteSource } from './kinds/site-kind.ts';

const ENDINGS = ['.md', '.mdx', '/index.md', '/index.mdx'];

/**
 * Whether a link that leads nowhere names something that the build makes or git brings: the file is
 * ignored, or in a submodule, so that a checkout does not have it.
 */
export function madeByBuild(
  source: SiteSource,
  site: Site,
): (link: string, file: string) => boolean {
  const [isIgnored, isInSubmodule] = [ignoredBy(source), submoduleTest(source)];
  return (link, file) => {
    const path = link.replace(/[?#].*$/s, '').replace(/\.html?$/, '');
    const places = path.startsWith('/') ? [site.docsFolder] : [folderOf(file), site.docsFolder];
    return places.some(folder => {
      const named = joinPath(folder, path) ?? '';
      if (named === '' || named === site.docsFolder) return false;
      if (isInSubmodule(named)) return true;
      return [named, ...ENDINGS.map(ending => `${named}${ending}`)].some(isIgnored);
    });
  };
}

function ignoredBy(source: SiteSource): (path: string) => boolean {
  const rules = new Map<string, ((path: string) => boolean) | undefined>();
  const rulesOf = (folder: string) => {
    const text = source.read(folder === '' ? '.gitignore' : `${folder}/.gitignore`);
    if (!rules.has(folder)) rules.set(folder, text === undefined ? undefined : gitIgnore(text));
    return rules.get(folder);
  };
  return path => {
    for (let folder = folderOf(path); ; folder = folderOf(folder)) {
      if (rulesOf(folder)?.(below(folder, path) ?? path)) return true;
      if (folder === '') return false;
    }
  };
}
