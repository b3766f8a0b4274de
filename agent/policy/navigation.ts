import type { Snapshot, Workspace } from '../../shared/workspace.ts';
import { navigationFile } from '../../sites/navigation.ts';
import { isObject } from '../../sites/values.ts';
import { readNavigation } from '../../sites/read-navigation.ts';
import { askSite } from '../site/ask-site.ts';
import { judgeCharacters } from './content/characters.ts';
import { readJson } from './docs-json.ts';
import type { PolicyProject } from './policy-project.ts';
import { isPlainLabel, isSitePath } from './targets.ts';
import { textOf } from './text-of.ts';

const ONLY = 'Only entries of the navigation and redirects within the site may change here.';

/**
 * What else than the navigation and redirects within the site a job changes in a file of the
 * navigation: one sentence each.
 * @param after null: the job deletes the file.
 */
export async function navigationChanges(
  path: string,
  after: string | null,
  workspace: Workspace,
  { docsFolder, siteKind }: PolicyProject,
): Promise<string[]> {
  const { snapshot } = workspace;
  const before = await readText(snapshot, path);
  if (before === undefined)
    return after !== null && /(?:^|\/)_category_\.json$/.test(path)
      ? categoryChanges(after)
      : [ONLY];
  if (after === null) return ['The navigation may not be deleted.'];
  const odd = lineChanges(path, before, after);
  if (odd.length > 0) return odd;
  const main = navigationFile(file => snapshot.entries.has(file), docsFolder);
  if (main !== undefined) {
    const isPart = path !== main;
    if (isPart && !(await isNavigationPart(path, snapshot, docsFolder))) return [ONLY];
    const question = { kind: 'docs-json-changes' as const, before, after, isPart };
    return await askSite(workspace, { docsFolder }, question);
  }
  const question = { kind: 'other-changes' as const, file: path, after };
  return (await askSite(workspace, { docsFolder, kind: siteKind ?? null }, question)) ?? [ONLY];
}

async function isNavigationPart(path: string, snapshot: Snapshot, docsFolder: string) {
  const { files } = await readNavigation(file => readText(snapshot, file), docsFolder);
  return files.includes(path);
}

async function readText(snapshot: Snapshot, path: string): Promise<string | undefined> {
  const content = snapshot.entries.has(path) ? await snapshot.read(path) : undefined;
  return content && textOf(content);
}

/** A category of Docusaurus: labels, a place, and a link within the site. */
function categoryChanges(text: string): string[] {
  const value = readJson(text);
  if (!isObject(value)) return ['It is not valid JSON, or names a member twice.'];
  const { label, position, collapsed, collapsible, link = {}, ...others } = value;
  const { type, id, slug, title, description, ...more } = isObject(link) ? link : { more: link };
  const isText = (one: unknown) => typeof one !== 'string' || isPlainLabel(one);
  const isPath = (one: unknown) => typeof one !== 'string' || isSitePath(one);
  const all = [label, position, collapsed, collapsible, type, id, slug, title, description];
  const isPlain =
    all.every(one => typeof one !== 'object') &&
    [label, type, title, description].every(isText) &&
    [id, slug].every(isPath) &&
    Object.keys({ ...others, ...more }).length === 0;
  return isPlain ? [] : ['A category has a label, a position and a link within the site.'];
}

const TEXT = String.raw`(?:"(?:[^"\\{}<>]|\\["\\])*"|'[^'{}<>]*(?:''[^'{}<>]*)*'|[\p{L}\p{N}./_*](?:[^\s:#"'{}<>]|:(?=\S)| (?![ #])|['"#](?=\S))*)`;
/** An entry as our own writer writes it: a title, a target, or both. */
const YAML_LINE = new RegExp(`^ *(?:- )*(?:${TEXT}(?::|: ${TEXT})?|nav:|\\.\\.\\.)?$`, 'u');

/**
 * The lines that a change brings have only the characters that every reader of the format reads
 * alike; in YAML each is one entry in one spelling, and a comment is one that was there.
 */
function lineChanges(path: string, before: string, after: string): string[] {
  const known = new Set(before.split(/\r?\n/));
  const changes: string[] = [];
  for (const [index, line] of after.split(/\r?\n/).entries()) {
    if (known.has(line)) continue;
    let isOdd = false;
    judgeCharacters(line, () => (isOdd = true));
    const [comment = ''] = / +#.*$/.exec(line) ?? [];
    const entry =
      comment !== '' && before.includes(comment) ? line.slice(0, -comment.length) : line;
    const isYaml = /\.ya?ml$|(?:^|\/)\.pages$/.test(path);
    if (isOdd || (isYaml && !YAML_LINE.test(entry)))
      changes.push(`${path}:${index + 1} is not an entry in plain characters.`);
  }
  return changes.slice(0, 5);
}
