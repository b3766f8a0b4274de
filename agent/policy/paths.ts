import { keptWith } from '../kept-with.ts';
import { instructionFile } from '../conventions/instruction-file.ts';
import type { Snapshot, Workspace } from '../../shared/workspace.ts';
import { globFilter, isHidden } from '../tools/glob.ts';
import { fileType, isNavigationName } from './file-types.ts';
import type { PolicyProject } from './policy-project.ts';
import type { PolicyRule, Violation } from './violation.ts';

/** Names that some agent takes for instructions, as `fold` writes them. */
const INSTRUCTION_FILES = new RegExp(
  '^(?:agents?(?:\\.override)?|assistant|claude(?:\\.local)?|gemini|qwen|warp|skill|conventions|' +
    'copilot-instructions|crush|opencode|amazonq|replit|iflow|goose|cline|roo|windsurf|codex|jules|llms(?:-full)?)\\.mdx?$|' +
    '\\.(?:instructions|prompt|chatmode|agent)\\.mdx?$',
);

/**
 * Names and signs that Windows keeps for itself, with which a checkout fails as a whole; and signs
 * that mean something to a template or a shell.
 */
const NOT_ON_WINDOWS =
  /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$|clock\$)(?:\.|$)|[<>"|?*{}`$;^]/i;

type Say = (rule: PolicyRule, message: string) => Violation;

/**
 * Why this path may not be written or deleted, or undefined where it may. What a job may write is a
 * list: pages, images, files that pages offer, and the files of the navigation. Looks at the path
 * and at what the tree holds there, never at content, so that tools can ask before they write.
 * @param workspace the tree as it is or as it will be; `path` itself may exist in it or not.
 */
export function pathViolation(
  path: string,
  workspace: Workspace,
  project: PolicyProject,
): Violation | undefined {
  const say: Say = (rule, message) => ({ path, rule, message });
  const unsafe = unsafePath(path);
  if (unsafe) return say('unsafe-path', unsafe);
  const mode = workspace.snapshot.entries.get(path)?.mode;
  if (mode === '120000') return say('link', 'Symbolic links may not be changed or deleted.');
  if (mode === '160000') return say('submodule', 'Submodules may not be changed or deleted.');
  // What may be in it, the whole policy says.
  if (isConventionFile(path, workspace, project)) return undefined;
  if (!isWidened(path, project)) {
    const refused = notOnTheList(path, workspace, project, say);
    if (refused) return refused;
  }
  return collision(path, workspace, say);
}

/** Whether it is the file that this job adds its approved line to. */
export function isConventionFile(
  path: string,
  { snapshot }: Workspace,
  { convention, docsFolder }: PolicyProject,
): boolean {
  const isThere = (file: string) => snapshot.entries.has(file);
  return convention != null && path === instructionFile(isThere, docsFolder);
}

/** Whether the project's settings name this path; nothing opens what steers the repository. */
function isWidened(path: string, { allowPaths = [], docsFolder }: PolicyProject): boolean {
  const segments = path.split('/').map(fold);
  if (segments.some(segment => segment.startsWith('.git') || segment === 'codeowners'))
    return false;
  const hidden = segments.some(segment => segment.startsWith('.'));
  return allowPaths.some(glob => (!hidden || isHidden(glob)) && globFilter(glob, docsFolder)(path));
}

function notOnTheList(
  path: string,
  workspace: Workspace,
  { docsFolder }: PolicyProject,
  say: Say,
): Violation | undefined {
  const { snapshot } = workspace;
  const prefix = docsFolder === '' ? '' : `${docsFolder}/`;
  const inDocs = path.startsWith(prefix);
  const segments = path
    .slice(inDocs ? prefix.length : 0)
    .split('/')
    .map(fold);
  const name = segments.at(-1) ?? '';
  // `docs/agents.md` can be a page like others, if the site has it; in capitals it is for agents.
  const isPage =
    snapshot.entries.has(path) && !/[A-Z]|copilot|\.(?:instr|pr|ch|ag)/.test(lastOf(path));
  const isMemory = segments
    .slice(0, -1)
    .some(segment => /^(?:memory-bank|agent-memory)$/.test(segment));
  if ((INSTRUCTION_FILES.test(name) || isMemory) && !isPage)
    return say(
      'instruction-file',
      `Agents take ${lastOf(path)} for instructions, which are changed by people only. ` +
        `Choose another name for a page, such as ${name.replace(/\.(mdx?)$/, '-overview.$1')}.`,
    );
  const isNavigation = isNavigationName(path) && snapshot.entries.has(path);
  if (
    segments.some(segment => segment.startsWith('.') || segment === 'codeowners') &&
    !isNavigation
  )
    return say(
      'protected-path',
      'Hidden files and folders (.github, .gitattributes, .cursor, CI settings) and CODEOWNERS ' +
        'are changed by people only.',
    );
  if (!inDocs && !isNavigation)
    return say(
      'outside-docs',
      `Only files under ${docsFolder}/ may be changed; ${docsFolder}/ is the docs folder.`,
    );
  const type = fileType(path, snapshot, docsFolder);
  const isNew = !snapshot.entries.has(path) && !/^_category_\.json$/.test(name);
  if (type === undefined || (type === 'navigation' && isNew))
    return say(
      'file-type',
      'Only pages, images and the navigation may be changed; any other file is changed by people.',
    );
  return undefined;
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/**
 * The form in which two names are one on some file system: case, width, ligatures, invisible
 * characters, final dots.
 */
export function fold(segment: string): string {
  return segment
    .normalize('NFKC')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]/gu, '')
    .toLowerCase()
    .replaceAll('ı', 'i')
    .replace(/(?:[. ]+|:.*)$/, '')
    .replace(/^git~\d+$/, '.git');
}

function unsafePath(path: string): string | undefined {
  if (path === '') return 'The path is empty.';
  // U+FFFD replaces something else: bytes that are not text, or NUL on its way into Postgres.
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffd]/u.test(path))
    return 'The path contains control, invisible or direction-changing characters.';
  if (path.includes('\\') || path.includes(':'))
    return 'The path contains a backslash or a colon; folders are separated by "/".';
  const segments = path.split('/');
  if (segments.some(segment => segment === '' || segment === '.' || segment === '..')) {
    return 'The path must be relative to the repository, without "." or ".." or empty parts.';
  }
  if (segments.some(segment => fold(segment) === '.git')) return 'Nothing in .git may be touched.';
  if (segments.some(segment => /[.\s]$|^\s|[\u3002\uff0e\uff61]|\p{Zs}(?<! )/u.test(segment)))
    return 'A part of the path ends in a dot or a space, or has one of another alphabet.';
  if (segments.some(segment => Buffer.byteLength(segment) > 255))
    return 'A part of the path is longer than 255 bytes.';
  return undefined;
}

/** A new path that git or a file system would take for another one. */
function collision(
  path: string,
  workspace: Workspace,
  say: (rule: PolicyRule, message: string) => Violation,
): Violation | undefined {
  if (workspace.snapshot.entries.has(path)) return undefined;
  if (path.split('/').some(segment => NOT_ON_WINDOWS.test(segment)))
    return say(
      'unsafe-path',
      'The path cannot be checked out on Windows, or has a sign of programs. Choose another name.',
    );
  if (path !== path.normalize('NFC'))
    return say('path-collision', 'The path is not in Unicode normal form C.');

  const folders = parents(path);
  const parentFile = folders.find(folder => workspace.has(folder));
  if (parentFile !== undefined)
    return say('path-collision', `${parentFile} is a file, not a folder.`);

  const paths = workspace.list();
  const isFolder = (part: string) => paths.some(other => other.startsWith(`${part}/`));
  if (isFolder(path)) return say('path-collision', `${path} is a folder.`);
  const base = foldedPartsOf(workspace.snapshot);
  const added = foldedParts(paths.filter(other => !workspace.snapshot.entries.has(other)));
  for (const [folded, [mine]] of foldedParts([path])) {
    const other = [...(base.get(folded) ?? []), ...(added.get(folded) ?? [])].find(
      part => part !== mine && (workspace.has(part) || isFolder(part)),
    );
    if (other !== undefined)
      return say(
        'path-collision',
        `${mine} and ${other} differ only in letter case or Unicode form.`,
      );
  }
  return undefined;
}

/** Files and folders by their folded paths. */
type FoldedParts = Map<string, string[]>;

/** Of a base, once: each call of a tool asks. */
const foldedPartsOf = keptWith(({ entries }: Snapshot) => foldedParts(entries.keys()));

/**
 * Folds each segment once: a tree repeats few names, and folding all of 10,000 paths takes 100 ms.
 */
function foldedParts(paths: Iterable<string>): FoldedParts {
  const segments = new Map<string, string>();
  const seen = new Set<string>();
  const result: FoldedParts = new Map();
  for (const path of paths) {
    let [part, key] = ['', ''];
    for (const segment of path.split('/')) {
      const folded = segments.get(segment) ?? fold(segment);
      segments.set(segment, folded);
      key = part === '' ? folded : `${key}/${folded}`; // a name may fold to nothing
      part = part === '' ? segment : `${part}/${segment}`;
      if (seen.has(part)) continue;
      seen.add(part);
      const alike = result.get(key);
      if (alike) alike.push(part);
      else result.set(key, [part]);
    }
  }
  return result;
}

function parents(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}
