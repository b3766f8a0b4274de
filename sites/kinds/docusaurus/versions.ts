import { jsonOf, stringsOf } from '../../values.ts';
import { joinPath } from '../paths.ts';
import type { SiteSource } from '../site-kind.ts';
import type { DocsPlugin, DocusaurusConfig } from './config.ts';

/** One version of the docs of a plugin. */
export interface DocsVersion {
  /** `current`, or as in `versions.json`. */
  name: string;
  /** What readers see; null if the docs have no versions. */
  label: string | null;
  folder: string;
  /** Route below the base path, without a slash at the end. */
  route: string;
  /** The sidebar file; null: by folder; false: none. */
  sidebarFile: string | null | false;
}

/** Every version that is built, the newest first. */
export function readVersions(
  source: SiteSource,
  config: DocusaurusConfig,
  plugin: DocsPlugin,
): DocsVersion[] {
  const prefix = plugin.id === 'default' ? '' : `${plugin.id}_`;
  const at = (name: string) => joinPath(config.root, `${prefix}${name}`) ?? name;
  const released = stringsOf(jsonOf(source.read(at('versions.json'))));
  const last = plugin.lastVersion ?? released[0] ?? 'current';
  const names = [...(plugin.includeCurrent ? ['current'] : []), ...released];
  return names
    .filter(name => plugin.onlyVersions?.includes(name) ?? true)
    .map(name => {
      const isCurrent = name === 'current';
      const segment =
        plugin.versionPaths.get(name) ?? (name === last ? '' : isCurrent ? 'next' : name);
      const sidebarFile = at(`versioned_sidebars/version-${name}-sidebars.json`);
      return {
        name,
        label: released.length === 0 ? null : name,
        folder: isCurrent ? plugin.folder : at(`versioned_docs/version-${name}`),
        route: ['', plugin.routeBasePath, segment]
          .join('/')
          .replace(/\/{2,}/g, '/')
          .replace(/\/$/, ''),
        sidebarFile: isCurrent ? plugin.sidebarFile : source.has(sidebarFile) ? sidebarFile : null,
      };
    });
}
