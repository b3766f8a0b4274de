import type { SiteKindName } from '../../sites/kinds/registry.ts';

/** What the policy knows of a project. */
export interface PolicyProject {
  /** '' is the repository's root; no slash at either end. */
  docsFolder: string;
  /** Pages may have any code, markup and embeds. */
  allowMdxCode: boolean;
  /** Undefined or null: found by the site's files. */
  siteKind?: SiteKindName | null;
  /** Globs of files that jobs may write beyond pages, images and navigation. */
  allowPaths?: readonly string[];
  /** The one line that this job may add to AGENTS.md: a person approved it. */
  convention?: string | null;
  /** Forms that people allowed (forms.ts). */
  allowedForms?: readonly string[];
}

/** What a project and its settings say of it. */
export function policyProject({
  docsFolder,
  siteKind,
  settings,
  convention = null,
  allowedForms = [],
}: {
  docsFolder: string;
  siteKind: SiteKindName | null;
  settings: {
    allowMdxCode?: boolean;
    allowPaths?: readonly string[];
    allowedForms?: readonly string[];
  };
  convention?: string | null;
  /** Of the job alone. */
  allowedForms?: readonly string[];
}): PolicyProject {
  return {
    docsFolder,
    siteKind,
    allowMdxCode: settings.allowMdxCode ?? false,
    allowPaths: settings.allowPaths ?? [],
    convention,
    allowedForms: [...(settings.allowedForms ?? []), ...allowedForms],
  };
}
