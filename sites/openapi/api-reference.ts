import { isExternal, joinPath } from '../kinds/paths.ts';
import type { Site, SiteSource } from '../kinds/site-kind.ts';
import type { ApiDescription, ApiOperation } from './operations.ts';

/** An API description that a site names, and how it becomes pages. */
export interface ApiReference {
  /** Repository path; undefined: it is elsewhere, and is not fetched. */
  file: string | undefined;
  /** As written. */
  named: string;
  /** The file that names it. */
  from: string;
  /** Only this operation; undefined: all of them. */
  only?: { method: string; route: string };
  /** Whether an operation is published here; undefined: each is. */
  wants?(operation: ApiOperation): boolean;
  /** The site path of an operation's page; undefined: the site makes none. */
  pathOf(operation: ApiOperation, description: ApiDescription): string | undefined;
  /** Where operations share a page: the id of one there, null if the renderer decides it. */
  anchorOf?(operation: ApiOperation): string | null;
  /** Further paths that the site makes of the description; `/x/*` covers everything below. */
  routesOf?(description: ApiDescription): string[];
  /** The site path below which all its pages stand: if it cannot be read, any there may exist. */
  below?: string;
  /** The template of dynamic routes that these pages come from. */
  template?: string;
  crumbs: string[];
  language: string | null;
  version: string | null;
}

/** A reference that no level of a navigation holds. */
export const NOWHERE = { crumbs: [], language: null, version: null };

/** A description by its path from a folder, if it is in the repository. */
export function fileFrom(source: SiteSource, folder: string, named: string): string | undefined {
  const file = isExternal(named) ? undefined : joinPath(folder, named);
  return file !== undefined && source.has(file) ? file : undefined;
}

/** Evaluating a configuration takes up to 100 ms; few of them name such a plugin. */
export function configNames(source: SiteSource, site: Site, name: RegExp): boolean {
  return site.configFiles.some(file => name.test(source.read(file) ?? ''));
}
