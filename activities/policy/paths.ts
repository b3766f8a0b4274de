import { navigationFile } from '../../shared/site/navigation.ts';
import type { Workspace } from '../../shared/workspace.ts';
import type { PolicyRule, Violation } from './violation.ts';

/**
 * Files that tell agents what to do: an agent that edits them rewrites its own orders. Hidden ones
 * are refused as hidden.
 */
const INSTRUCTION_FILES = new Set([
  'agents.md',
  'agents.override.md',
  'agent.md',
  'assistant.md',
  'claude.md',
  'claude.local.md',
  'gemini.md',
  'copilot-instructions.md',
]);

/**
 * Files that run: in a build, or on every page of the site (some platforms load any script that
 * lies among the pages).
 */
const CODE_FILES =
  /\.(?:[cm]?[jt]sx?|vue|svelte|astro|x?html?|sh|bash|ps1|bat|cmd|py|rb|php|wasm)$/;

/**
 * Why this path may not be written or deleted, or undefined where it may. Looks at the path and at
 * what the tree holds there, never at content, so that tools can ask before they write.
 * @param workspace the tree as it is or as it will be; `path` itself may exist in it or not.
 */
export function pathViolation(
  path: string,
  workspace: Workspace,
  { docsFolder, allowMdxCode }: { docsFolder: string; allowMdxCode: boolean },
): Violation | undefined {
  const say = (rule: PolicyRule, message: string): Violation => ({ path, rule, message });

  const unsafe = unsafePath(path);
  if (unsafe) return say('unsafe-path', unsafe);

  const prefix = docsFolder === '' ? '' : `${docsFolder}/`;
  const inDocs = path.startsWith(prefix);
  const segments = path
    .slice(inDocs ? prefix.length : 0)
    .split('/')
    .map(fold);
  const name = segments.at(-1) ?? '';
  if (INSTRUCTION_FILES.has(name))
    return say('instruction-file', 'Files that instruct agents are changed by people only.');
  if (segments.some(segment => segment.startsWith('.') || segment === 'codeowners')) {
    return say(
      'protected-path',
      'Hidden files and folders (.github, .gitattributes, .cursor, CI settings) and CODEOWNERS ' +
        'are changed by people only.',
    );
  }
  if (
    !inDocs &&
    path !== navigationFile(candidate => workspace.snapshot.entries.has(candidate), docsFolder)
  ) {
    return say(
      'outside-docs',
      `Only files under ${docsFolder}/ may be changed; ${docsFolder}/ is the docs folder.`,
    );
  }

  if (!allowMdxCode && CODE_FILES.test(name))
    return say(
      'script',
      'Files that contain code are changed by people only; this project allows no new scripts.',
    );

  const mode = workspace.snapshot.entries.get(path)?.mode;
  if (mode === '120000') return say('link', 'Symbolic links may not be changed or deleted.');
  if (mode === '160000') return say('submodule', 'Submodules may not be changed or deleted.');
  return collision(path, workspace, say);
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
  if (segments.some(segment => /[. ]$/.test(segment)))
    return 'A part of the path ends in a dot or a space.';
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
  if (path !== path.normalize('NFC'))
    return say('path-collision', 'The path is not in Unicode normal form C.');

  const folders = parents(path);
  const parentFile = folders.find(folder => workspace.has(folder));
  if (parentFile !== undefined)
    return say('path-collision', `${parentFile} is a file, not a folder.`);

  const foldPath = pathFolder();
  const own = new Map([...folders, path].map(part => [foldPath(part), part]));
  for (const other of workspace.list()) {
    if (other.startsWith(`${path}/`)) return say('path-collision', `${path} is a folder.`);
    for (const part of other === path ? [] : [...parents(other), other]) {
      const mine = own.get(foldPath(part));
      if (mine !== undefined && mine !== part)
        return say(
          'path-collision',
          `${mine} and ${part} differ only in letter case or Unicode form.`,
        );
    }
  }
  return undefined;
}

/**
 * Folds paths, each segment once: a tree repeats few names, and folding all of 10,000 paths
 * takes 100 ms.
 */
function pathFolder(): (path: string) => string {
  const folded = new Map<string, string>();
  return path =>
    path
      .split('/')
      .map(segment => {
        const known = folded.get(segment) ?? fold(segment);
        folded.set(segment, known);
        return known;
      })
      .join('/');
}

function parents(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}
