import type { NavigationChange, NavigationEdit, NavigationEditing } from './navigation-edit.ts';
import type { Site, SiteSource } from '../../sites/kinds/site-kind.ts';

/** For kinds whose navigation is not edited: what names a page there is said instead. */
export function uneditedNavigation(reason: string): NavigationEditing {
  return {
    describe: (_source, site) => ({ files: [], rule: `${reason} (${filesOf(site)}).` }),
    edit: (source, site, edit) => describeMentions(source, site, edit, reason),
    otherChanges: (_site, file) => [`${file} holds more than navigation.`],
  };
}

function describeMentions(
  source: SiteSource,
  site: Site,
  edit: NavigationEdit,
  reason: string,
): NavigationChange {
  if (edit.kind !== 'move-page' && edit.kind !== 'remove-page')
    return {
      refused:
        `${reason}: nothing of it was edited. ` +
        `Say in the pull request what a person has to change in ${filesOf(site)}.`,
    };
  const file = edit.kind === 'move-page' ? edit.from : edit.file;
  return { files: new Map(), done: [], left: mentions(source, site, file) };
}

/** `file:line names it`, for every line of the configuration that names the page. */
export function mentions(source: SiteSource, site: Site, file: string): string[] {
  const page = site.pages.find(one => one.file === file);
  const inDocs = file.slice(site.docsFolder === '' ? 0 : site.docsFolder.length + 1);
  const bare = inDocs.replace(/\.\w+$/, '');
  const names = [bare, bare.replace(/(?:^|\/)(?:index|README)$/, ''), page?.path.slice(1) ?? ''];
  const wanted = [...new Set(names)].filter(name => name !== '');
  return site.configFiles.flatMap(path =>
    (source.read(path) ?? '')
      .split('\n')
      .flatMap((line, index) =>
        wanted.some(name => isNamed(line, name)) ? [`${path}:${index + 1} names it`] : [],
      ),
  );
}

/** Whether the line contains `name` between characters that cannot be in a path. */
function isNamed(line: string, name: string): boolean {
  for (let at = line.indexOf(name); at !== -1; at = line.indexOf(name, at + 1)) {
    const before = line.charAt(at - 1);
    const after = line.charAt(at + name.length);
    if (!/[\w-]/.test(before) && !/[\w-]/.test(after)) return true;
  }
  return false;
}

function filesOf(site: Site): string {
  return site.configFiles.length > 0 ? site.configFiles.join(', ') : 'the configuration';
}
