import type { FoundAutomation } from '../db/automations/automations.ts';
import type { Definition } from '../shared/jobs/automation.ts';
import type { ContextRepository } from '../shared/context-repositories.ts';
import type { Snapshot } from '../shared/workspace.ts';
import { DefinitionError, parseDefinition } from './definition.ts';

/** Folders of automations: at the root of the repository and of the docs. */
const FOLDERS = ['.docent/workflows', '.mintlify/workflows'];
export const MOST_AUTOMATIONS = 50;
const MAX_BYTES = 100_000;

/** Where a new automation's file goes. */
export function automationPath(docsFolder: string, name: string): string {
  return `${docsFolder === '' ? '' : `${docsFolder}/`}${FOLDERS[0]}/${name}.md`;
}

/** The automations at a commit of the base branch, with what is wrong with each. */
export async function readAutomations(
  snapshot: Snapshot,
  docsFolder: string,
  allowed: readonly ContextRepository[],
): Promise<FoundAutomation[]> {
  const roots = docsFolder === '' ? [''] : ['', `${docsFolder}/`];
  const folders = roots.flatMap(root => FOLDERS.map(folder => `${root}${folder}/`));
  const paths = [...snapshot.entries.keys()].filter(path =>
    folders.some(
      folder => path.startsWith(folder) && /^[^/]+\.md$/.test(path.slice(folder.length)),
    ),
  );
  const found: FoundAutomation[] = [];
  for (const path of paths.slice(0, MOST_AUTOMATIONS))
    found.push(await readAutomation(snapshot, path, allowed));
  for (const path of paths.slice(MOST_AUTOMATIONS, 2 * MOST_AUTOMATIONS))
    found.push(unusable(path, `A project may have ${MOST_AUTOMATIONS} automations at most.`));
  return found;
}

async function readAutomation(
  snapshot: Snapshot,
  path: string,
  allowed: readonly ContextRepository[],
): Promise<FoundAutomation> {
  const { size = 0, mode } = snapshot.entries.get(path) ?? {};
  if (mode !== '100644' && mode !== '100755') return unusable(path, 'It is not a plain file.');
  if (size > MAX_BYTES) return unusable(path, `A file may have ${MAX_BYTES} bytes at most.`);
  try {
    const bytes = (await snapshot.read(path)) ?? Buffer.of();
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (text.includes('\0')) return unusable(path, 'The file is not text.');
    const definition: Definition = parseDefinition(text, allowed);
    return { path, name: definition.name, definition, problem: null };
  } catch (error) {
    if (error instanceof DefinitionError) return unusable(path, error.message);
    if (error instanceof TypeError) return unusable(path, 'The file is not text in UTF-8.');
    throw error;
  }
}

function unusable(path: string, problem: string): FoundAutomation {
  const name = path.slice(path.lastIndexOf('/') + 1, -'.md'.length);
  return { path, name, definition: null, problem };
}
