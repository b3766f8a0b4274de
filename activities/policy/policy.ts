import { isPagePath } from '../../shared/site/markdown.ts';
import type { Workspace } from '../../shared/workspace.ts';
import { type ActiveItem, activeItems } from './active-content.ts';
import { pathViolation } from './paths.ts';
import { findSecrets } from './secrets.ts';
import { MAX_FILE_BYTES, type Violation } from './violation.ts';

/** What the policy knows of a project. */
export interface PolicyProject {
  docsFolder: string;
  /**
   * New imports, exports, expressions, scripts and remote embeds are allowed, and files of code.
   */
  allowMdxCode: boolean;
}

/**
 * Why the workspace's changes may not be published; empty where they may. Judges the final tree,
 * whatever the tools allowed on the way, and only what is new in it: what the base has already is
 * not this job's.
 */
export async function policyViolations(
  workspace: Workspace,
  project: PolicyProject,
): Promise<Violation[]> {
  const changes = await workspace.changes();
  const base = await baseTexts(workspace, changes);
  const violations: Violation[] = [];
  for (const [path, content] of changes) {
    const refused = pathViolation(path, workspace, project);
    if (refused) violations.push(refused);
    if (content === null) continue;
    if (content.length > MAX_FILE_BYTES) {
      violations.push({
        path,
        rule: 'file-size',
        message: `The file has ${content.length} bytes; the most is 1 MiB.`,
      });
      continue;
    }
    const text = textOf(content);
    if (text === undefined) {
      violations.push({
        path,
        rule: 'binary',
        message: 'The file is not UTF-8 text; only text may be written.',
      });
      continue;
    }
    const before = base.of(path);
    violations.push(...(await newSecrets(path, text, before)));
    if (!project.allowMdxCode && (isPagePath(path) || /\.svg$/i.test(path)))
      violations.push(...newActiveItems(path, text, before));
  }
  return violations;
}

/** A file before this job, for telling old from new. */
interface Before {
  path: string;
  text: string;
}

/**
 * What a path held before: its own base, and for a new path the bases of deleted ones, one of which
 * it may have moved from.
 */
async function baseTexts(
  workspace: Workspace,
  changes: Map<string, Buffer | null>,
): Promise<{ of(path: string): Before[] }> {
  const texts = new Map<string, string>();
  for (const path of changes.keys()) {
    const content = workspace.snapshot.entries.has(path)
      ? await workspace.snapshot.read(path)
      : undefined;
    const text = content && textOf(content);
    if (text !== undefined) texts.set(path, text);
  }
  const deleted = [...changes].flatMap(([path, content]) =>
    content === null && texts.has(path) ? [{ path, text: texts.get(path) ?? '' }] : [],
  );
  return {
    of(path) {
      const own = texts.get(path);
      return own === undefined
        ? deleted.filter(one => isPagePath(one.path))
        : [{ path, text: own }];
    },
  };
}

async function newSecrets(
  path: string,
  text: string,
  before: readonly Before[],
): Promise<Violation[]> {
  const secrets = await findSecrets(path, text);
  return secrets
    .filter(({ value }) => !before.some(old => old.text.includes(value)))
    .map(({ kind, line }) => ({
      path,
      rule: 'secret',
      message: `Line ${line} contains what looks like a secret (${kind}). Write a placeholder.`,
    }));
}

function newActiveItems(path: string, text: string, before: readonly Before[]): Violation[] {
  const items = activeItems(path, text);
  if (items.length === 0) return [];
  const known = new Map<string, number>();
  const name = ({ rule, key }: ActiveItem) => `${rule} ${key}`;
  for (const old of before)
    for (const item of activeItems(old.path, old.text))
      known.set(name(item), (known.get(name(item)) ?? 0) + 1);
  const violations: Violation[] = [];
  for (const item of items) {
    const left = known.get(name(item)) ?? 0;
    known.set(name(item), left - 1);
    if (left <= 0)
      violations.push({
        path,
        rule: item.rule,
        message: `Line ${item.line} adds ${item.what}, which this project does not allow.`,
      });
  }
  return violations;
}

function textOf(content: Buffer): string | undefined {
  if (content.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    return undefined;
  }
}
