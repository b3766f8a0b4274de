import { objectOf, textOf } from '../../values.ts';
import { below, folderOf, isExternal, joinPath, sitePathOf, splitUrl } from '../paths.ts';
import type { Site, SiteLink, SiteSource } from '../site-kind.ts';
import { submoduleTest } from '../submodules.ts';
import type { MkDocsConfig } from './config.ts';
import type { SisterLanguage } from './languages.ts';
import type { MkDocsPage } from './pages.ts';

/** The themes that MkDocs brings along have an icon where pages may name it. */
function isOfTheme(path: string, { settings: { theme } }: MkDocsConfig): boolean {
  const name = textOf(theme) ?? textOf(objectOf(theme).name) ?? 'mkdocs';
  return path === 'img/favicon.ico' && (name === 'mkdocs' || name === 'readthedocs');
}

/** As MkDocs validates: relative links name source files; absolute ones are left as they are. */
export function resolver(
  source: SiteSource,
  config: MkDocsConfig,
  pages: readonly MkDocsPage[],
  made: ReadonlySet<string>,
  sisters: readonly SisterLanguage[],
): Site['resolve'] {
  const byFile = new Map(pages.map(page => [page.file, page]));
  const paths = new Set(pages.map(page => page.path));
  const isInSubmodule = submoduleTest(source);
  // What other sites bring is in folders of their own, whatever those are called.
  const bringsFolders = config.plugins.has('monorepo') || config.plugins.has('multirepo');
  const validation = objectOf(
    objectOf(config.settings.validation).links ?? config.settings.validation,
  );
  const absolute = textOf(validation.absolute_links) ?? 'info';
  // Its files are published beside those of the docs.
  const custom = textOf(objectOf(config.settings.theme).custom_dir);
  const themeFolder = custom && joinPath(folderOf(config.files[0] ?? ''), custom);
  return (url, file): SiteLink => {
    if (isExternal(url) || /\{\{|\{%/.test(url)) return { kind: 'external' };
    const { path, anchor } = splitUrl(url);
    const own = byFile.get(file);
    if (path === '') return own ? { kind: 'page', page: own, anchor } : { kind: 'unchecked' };
    const isAbsolute = path.startsWith('/');
    if (isAbsolute && !absolute.startsWith('relative_to')) return { kind: 'unchecked' };
    const target = joinPath(isAbsolute ? config.docsFolder : folderOf(file), path);
    const page = target === undefined ? undefined : byFile.get(target);
    if (page) return { kind: 'page', page, anchor };
    if (target !== undefined && source.has(target)) return { kind: 'file', file: target };
    if (source.has(lentFile(target, config, sisters) ?? '')) return { kind: 'unchecked' };
    const named = below(config.docsFolder, target ?? '') ?? '';
    if (made.has(named) || isOfTheme(named, config)) return { kind: 'route', path };
    const ofTheme = themeFolder === undefined ? undefined : joinPath(themeFolder, named);
    if (ofTheme !== undefined && source.has(ofTheme)) return { kind: 'file', file: ofTheme };
    if (ofTheme !== undefined && isInSubmodule(ofTheme)) return { kind: 'unchecked' };
    const [top = ''] = named.split('/');
    if (
      bringsFolders &&
      /^[\w.-]+\//.test(named) &&
      !source.hasFolder(`${config.docsFolder}/${top}`)
    )
      return { kind: 'unchecked' };
    // A name without an ending is left as it is, and leads to an address.
    const folder = config.directoryUrls ? (own?.path ?? '') : folderOf(own?.path ?? '');
    const address = /\.[^/]*$/.test(path.replace(/^(?:\.{1,2}\/)+/, ''))
      ? ''
      : sitePathOf(folder, path);
    return own && paths.has(address) ? { kind: 'route', path: address } : { kind: 'missing', path };
  };
}

/** The file of the main language that the build puts where a translation lacks it. */
function lentFile(
  target = '',
  { docsFolder }: MkDocsConfig,
  sisters: readonly SisterLanguage[],
): string | undefined {
  const sister = sisters.find(one => one.isFilled && below(one.folder, target) !== undefined);
  return sister && joinPath(docsFolder, below(sister.folder, target) ?? '');
}
