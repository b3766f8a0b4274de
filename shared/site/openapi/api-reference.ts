import type { ApiOperation } from './operations.ts';

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
  /** The site path of an operation. */
  pathOf(operation: ApiOperation): string;
  crumbs: string[];
  language: string | null;
  version: string | null;
}
