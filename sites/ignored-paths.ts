import { gitIgnore } from './gitignore.ts';
import { below, folderOf, joinPath } from './kinds/paths.ts';
import { submoduleTest } from './kinds/submodules.ts';
import type { Site, SiteSource } from './kinds/site-kind.ts';

const ENDINGS = ['.md', '.mdx', '/index.md', '/index.mdx'];

/**
 * Whether a link that leads nowhere names something that the build makes or git brings: the file is
 * ignored, in a submodule, or in a folder that only a script names.
 */
export function madeByBuild(
  source: SiteSource,
  site: Site,
): (link: string, file: string) => boolean {
  const [isIgnored, isInSubmodule] = [ignoredBy(source), submoduleTest(source)];
  const isWritten = folderOfScripts(source);
  return (link, file) => {
    const path = link.replace(/[?#].*$/s, '').replace(/\.html?$/, '');
    const places = path.startsWith('/') ? [site.docsFolder] : [folderOf(file), site.docsFolder];
    return places.some(folder => {
      const named = joinPath(folder, path) ?? '';
      if (named === '' || named === site.docsFolder) return false;
      if (isInSubmodule(named) || isWritten(folderOf(named))) return true;
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

const SCRIPT = /(?:^|\/)(?:scripts?|hack|tools)\/(?:[^/]+\/)*[^/]+\.(?:sh|py|[cm]?[jt]s)$/;
/** Scripts are small, and repositories with thousands have them for other things. */
const SCRIPTS_READ = 300;

/** A folder that is not there and whose last two names a script has, as a path or as arguments. */
function folderOfScripts(source: SiteSource): (folder: string) => boolean {
  const known = new Map<string, boolean>();
  let texts: string[] | undefined;
  return folder => {
    const named = folder.split('/').slice(-2);
    if (named.length < 2 || source.hasFolder(folder)) return false;
    texts ??= source.paths
      .filter(path => SCRIPT.test(path))
      .slice(0, SCRIPTS_READ)
      .map(path => (source.read(path) ?? '').replace(/['"],\s*['"]/g, '/'));
    const isNamed = known.get(folder) ?? texts.some(text => isWord(text, named.join('/')));
    known.set(folder, isNamed);
    return isNamed;
  };
}

function isWord(text: string, path: string): boolean {
  const at = text.indexOf(path);
  return at >= 0 && !/[\w-]/.test(text.charAt(at - 1) + text.charAt(at + path.length));
}
