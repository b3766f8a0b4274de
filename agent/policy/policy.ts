import { withConvention } from '../conventions/instruction-file.ts';
import { isPagePath } from '../../sites/markdown.ts';
import type { Workspace } from '../../shared/workspace.ts';
import { BasePages } from './base-pages.ts';
import type { ContentItem } from './content/item.ts';
import { constructOf } from './forms.ts';
import { type FileType, fileType, isOfItsType } from './file-types.ts';
import { navigationChanges } from './navigation.ts';
import { isConventionFile, pathViolation } from './paths.ts';
import type { PolicyProject } from './policy-project.ts';
import { findSecrets, Unjudged } from './judge.ts';
import { changedPart } from './secrets/changed-part.ts';
import { isSeenByReaders } from './targets.ts';
import { textOf } from './text-of.ts';
import { MAX_FILE_BYTES, type Violation } from './violation.ts';

/** Secrets of one file: each is looked for in all pages. */
const MOST_TOLD = 20;

/** A job's changes, and what they are compared with. */
interface Judged {
  workspace: Workspace;
  project: PolicyProject;
  changes: ReadonlyMap<string, Buffer | null>;
  base: BasePages;
  /** What a path held before: its own base, or for a new one the bases of deleted pages. */
  before(path: string): string[];
}

/**
 * Why the workspace's changes may not be published; empty where they may. Judges the final tree,
 * whatever the tools allowed on the way, and only what is new in it: what the base has already is
 * not this job's. No setting of a turn and no limit turns a violation into a warning.
 * @param paths only these, as after one tool call: whether a file is used is not asked then.
 */
export async function policyViolations(
  workspace: Workspace,
  project: PolicyProject,
  paths?: ReadonlySet<string>,
): Promise<Violation[]> {
  const changes = await workspace.changes();
  const base = BasePages.of(workspace.snapshot, project.docsFolder);
  const before = await readBefore(workspace, changes);
  const judged = { workspace, project, changes, base, before };
  const violations: Violation[] = [];
  for (const [path, content] of changes) {
    if (paths && !paths.has(path)) continue;
    const refused = pathViolation(path, workspace, project);
    if (refused) violations.push(refused);
    const ofFile = fileViolations(path, content, judged, refused !== undefined);
    violations.push(...(await orTooComplex(path, ofFile)));
    // Nor is the rest judged: each can take as long.
    if (violations.at(-1)?.rule === 'too-complex') break;
    if (!paths && content !== null) violations.push(...(await unusedFile(path, judged)));
  }
  return violations;
}

/** The violations of a file; that it cannot be judged is one too. */
async function orTooComplex(path: string, found: Promise<Violation[]>): Promise<Violation[]> {
  try {
    return await found;
  } catch (error) {
    if (!(error instanceof Unjudged)) throw error;
    const message = `The file cannot be judged. ${error.message} Write it more plainly, or split it.`;
    return [{ path, rule: 'too-complex', message }];
  }
}

/**
 * Throws `Unjudged`.
 * @param isRefused by its path: its type says nothing then.
 */
async function fileViolations(
  path: string,
  content: Buffer | null,
  judged: Judged,
  isRefused: boolean,
): Promise<Violation[]> {
  const { workspace, project } = judged;
  if (isConventionFile(path, workspace, project)) return conventionOnly(path, content, judged);
  const type = isRefused ? undefined : fileType(path, workspace.snapshot, project.docsFolder);
  if (content === null) return type === 'navigation' ? navigation(path, null, judged) : [];
  if (content.length > MAX_FILE_BYTES)
    return [
      {
        path,
        rule: 'file-size',
        message: `The file has ${content.length} bytes; the most is 1 MiB.`,
      },
    ];
  const text = textOf(content);
  // No image is text throughout; a script or a page that begins like one is.
  if (type === 'binary' && text === undefined && isOfItsType(path, content)) return [];
  if (text === undefined || type === 'binary') {
    const message =
      type === 'binary'
        ? 'The bytes are not what the name says.'
        : 'The file is not UTF-8 text; only text may be written.';
    return [{ path, rule: 'binary', message }];
  }
  if (/^version https:\/\/git-lfs\.github\.com\//.test(text))
    return [{ path, rule: 'binary', message: 'A pointer of Git LFS stands for another file.' }];
  // In two threads at once.
  const found = await Promise.all([
    newSecrets(path, text, judged),
    textViolations(path, text, type, judged),
  ]);
  return found.flat();
}

/** Nothing but the approved line may be new in AGENTS.md. */
async function conventionOnly(
  path: string,
  content: Buffer | null,
  judged: Judged,
): Promise<Violation[]> {
  const { workspace, project } = judged;
  const before = (await workspace.snapshot.read(path))?.toString('utf8');
  const text = content?.toString('utf8');
  if (text === undefined || text !== withConvention(before, project.convention ?? ''))
    return [
      {
        path,
        rule: 'instruction-file',
        message: `Only the line that a person approved may be added to ${path}, at its end.`,
      },
    ];
  return await newSecrets(path, text, judged);
}

function textViolations(
  path: string,
  text: string,
  type: FileType,
  judged: Judged,
): Promise<Violation[]> | Violation[] {
  if (type === 'navigation') return navigation(path, text, judged);
  const isPage = isPagePath(path) || /\.(?:svg|rst|mdoc|markdown)$/i.test(path);
  return isPage && !judged.project.allowMdxCode ? newContent(path, text, judged) : [];
}

async function navigation(
  path: string,
  text: string | null,
  { workspace, project }: Judged,
): Promise<Violation[]> {
  const changes = await navigationChanges(path, text, workspace, project);
  return changes.map(message => ({ path, rule: 'navigation', message }));
}

async function newSecrets(
  path: string,
  text: string,
  { workspace, before, base }: Judged,
): Promise<Violation[]> {
  const violations: Violation[] = [];
  const add = (where: string, kind: string) =>
    violations.push({
      path,
      rule: 'secret',
      message: `${where} contains what looks like a secret (${kind}). Write a placeholder.`,
    });
  if (!workspace.snapshot.entries.has(path))
    for (const { kind } of await findSecrets(path)) add('The path', kind);
  const old = before(path);
  const [only] = old;
  const part = only !== undefined && old.length === 1 ? changedPart(text, only) : { text, line: 1 };
  for (const { kind, line, value } of await findSecrets(part.text)) {
    if (violations.length >= MOST_TOLD) break;
    if (old.some(one => one.includes(value)) || (await base.names(value))) continue;
    add(`Line ${part.line + line - 1}`, kind);
  }
  return violations;
}

async function newContent(
  path: string,
  text: string,
  { base, changes, workspace, project }: Judged,
): Promise<Violation[]> {
  const items = (await base.itemsOf(path, text)).filter(
    ({ target }) => target === undefined || !isSeenByReaders(target, workspace, project.docsFolder),
  );
  if (items.length === 0) return [];
  const allowed = new Set(project.allowedForms);
  const deleted = [...changes].flatMap(([other, content]) => (content === null ? [other] : []));
  // Most items were on the page before, or on the page that was moved here.
  const unknown = await base.unknown(items, new Set([path, ...deleted]));
  return unknown.flatMap(item => {
    const construct = constructOf(path, item);
    if (construct && allowed.has(construct.form)) return [];
    return { path, rule: item.rule, message: messageOf(item), ...(construct && { construct }) };
  });
}

function messageOf({ line, what, instead }: ContentItem): string {
  return `Line ${line} adds ${what}, which this project does not allow. ${instead}`;
}

/** A new file beside the pages that no page shows or offers. */
async function unusedFile(path: string, judged: Judged): Promise<Violation[]> {
  const { workspace, project, changes, base } = judged;
  const type = fileType(path, workspace.snapshot, project.docsFolder);
  if ((type !== 'svg' && type !== 'binary') || workspace.snapshot.entries.has(path)) return [];
  const name = path.slice(path.lastIndexOf('/') + 1);
  const spellings = [name, encodeURI(name)];
  for (const [other, content] of changes)
    if (other !== path && content && spellings.some(one => content.includes(one))) return [];
  if (await base.names(name)) return [];
  return [{ path, rule: 'unused-file', message: 'No page uses this file. Delete it, or show it.' }];
}

async function readBefore(
  workspace: Workspace,
  changes: ReadonlyMap<string, Buffer | null>,
): Promise<Judged['before']> {
  const texts = new Map<string, string>();
  for (const path of changes.keys()) {
    const content = workspace.snapshot.entries.has(path)
      ? await workspace.snapshot.read(path)
      : undefined;
    const text = content && textOf(content);
    if (text !== undefined) texts.set(path, text);
  }
  const deleted = [...changes].flatMap(([path, content]) =>
    content === null && isPagePath(path) ? [texts.get(path) ?? ''] : [],
  );
  return path => {
    const own = texts.get(path);
    return own === undefined ? deleted : [own];
  };
}
