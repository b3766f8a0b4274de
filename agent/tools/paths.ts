import { candidateFiles } from '../../sites/page-path.ts';
import { fold, pathViolation } from '../policy/paths.ts';
import { nearest } from './near.ts';
import type { ToolContext } from './tool.ts';

export type PathResult = { path: string; error?: never } | { path?: never; error: string };

/**
 * The file that the model means: a repository path, a path in the docs folder, or a site path
 * (`docs/install.md`, `./install.md`, `/install`). The error names the nearest files.
 */
export function existingFile(raw: string, context: ToolContext): PathResult {
  const clean = cleanPath(raw);
  if (clean.error !== undefined) return clean;
  const { workspace, project } = context;
  const inDocs = project.docsFolder === '' ? [] : [`${project.docsFolder}/${clean.path}`];
  const plain = raw.startsWith('/') ? [...inDocs, clean.path] : [clean.path, ...inDocs];
  const found = [...plain, ...candidateFiles(project.docsFolder, clean.path)].find(path =>
    workspace.has(path),
  );
  return found === undefined ? { error: missing(raw, clean.path, context) } : { path: found };
}

/**
 * The path that a new or changed file will have; refused by the same rules as at publishing.
 * `/install.md` means the docs folder, and so does a bare `install.md` that exists there; any other
 * path is the repository's.
 */
export function writablePath(raw: string, context: ToolContext): PathResult {
  const clean = cleanPath(raw);
  if (clean.error !== undefined) return clean;
  const { workspace, project } = context;
  const { docsFolder } = project;
  const inDocs =
    docsFolder === '' || clean.path.startsWith(`${docsFolder}/`)
      ? clean.path
      : `${docsFolder}/${clean.path}`;
  const path = raw.startsWith('/') || workspace.has(inDocs) ? inDocs : clean.path;
  const meant = withoutPrefix(clean.path, context);
  if (meant !== undefined && path !== clean.path && !workspace.has(path))
    return {
      error: `Did you mean ${meant}? Write the path from the repository's root: ${path} if not.`,
    };
  const violation = pathViolation(path, workspace, project);
  if (!violation) return { path };
  context.refused(violation);
  const hint = violation.rule === 'outside-docs' ? ` Did you mean ${meant ?? inDocs}?` : '';
  return { error: `${path} may not be changed. ${violation.message}${hint}` };
}

/**
 * What is left of a path that begins with folders of another machine, as `/repo/docs/x.md` and
 * `acme/site/docs/x.md` do: an existing file, or one of the docs folder.
 */
function withoutPrefix(path: string, { workspace, project }: ToolContext): string | undefined {
  const { docsFolder } = project;
  const segments = path.split('/');
  const [first = ''] = segments;
  const isThere = workspace.list().some(file => file.startsWith(`${first}/`));
  if (isThere || segments.length < 2) return undefined;
  const rests = segments.slice(1).map((_, i) => segments.slice(i + 1).join('/'));
  return (
    rests.find(rest => rest.includes('/') && workspace.has(rest)) ??
    rests.find(rest => docsFolder !== '' && rest.startsWith(`${docsFolder}/`))
  );
}

/** Why this existing file may not be changed, or undefined where it may. */
export function writeRefusal(path: string, context: ToolContext): string | undefined {
  const violation = pathViolation(path, context.workspace, context.project);
  if (violation) context.refused(violation);
  return violation && `${path} may not be changed. ${violation.message}`;
}

/**
 * A path without `./`, leading slash and trailing slash; what could leave the tree or deceive a
 * reader is refused.
 */
export function cleanPath(raw: string): PathResult {
  if (/[\p{Cc}\p{Cf}\p{Cs}\ufffd]/u.test(raw)) {
    return {
      error:
        'The path contains control, invisible or direction-changing characters. ' +
        'Write it in plain characters, such as docs/install.md.',
    };
  }
  const segments = raw
    .replaceAll('\\', '/')
    .split('/')
    .filter(segment => segment !== '' && segment !== '.');
  if (segments.includes('..'))
    return {
      error:
        `${raw} has ".." in it. ` +
        "Write the path from the repository's root, such as docs/install.md.",
    };
  if (segments.some(segment => fold(segment) === '.git'))
    return {
      error: "Nothing in .git can be read or changed. Only the repository's files are here.",
    };
  return { path: segments.join('/') };
}

function missing(raw: string, path: string, { workspace, project }: ToolContext): string {
  const folder =
    project.docsFolder === ''
      ? "The docs folder is the repository's root."
      : `${project.docsFolder}/ is the docs folder.`;
  const name = (full: string) => full.slice(full.lastIndexOf('/') + 1);
  const paths = workspace.list();
  const sameName = paths.filter(other => stem(name(other)) === stem(name(path)));
  // Whatever folders it begins with: `/home/me/repo/docs/install.md`.
  const ends = paths.filter(other => `/${path}`.endsWith(`/${other}`)).slice(0, 1);
  const near = [
    ...new Set([...ends, ...nearest(path, sameName, 3), ...nearest(path, paths, 5)]),
  ].slice(0, 5);
  const hint = near.length > 0 ? `Nearest: ${near.join(', ')}.` : 'list_files shows what there is.';
  return `There is no file ${raw}. ${folder} ${hint}`;
}

function stem(name: string): string {
  return name.replace(/\.[^.]*$/, '').toLowerCase();
}
