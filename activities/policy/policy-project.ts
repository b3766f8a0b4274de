/** What the policy knows of a project. */
export interface PolicyProject {
  /** '' is the repository's root; no slash at either end. */
  docsFolder: string;
  /** Pages may have any code, markup and embeds. */
  allowMdxCode: boolean;
  /** Globs of files that jobs may write beyond pages, images and navigation. */
  allowPaths?: readonly string[];
}

/** What a project's settings say of it. */
export function policyProject(
  docsFolder: string,
  settings: { allowMdxCode?: boolean; allowPaths?: readonly string[] },
): PolicyProject {
  return {
    docsFolder,
    allowMdxCode: settings.allowMdxCode ?? false,
    allowPaths: settings.allowPaths ?? [],
  };
}
