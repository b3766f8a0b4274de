import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { docsFolderLine } from '../../shared/agent-text.ts';
import type { Snapshot } from '../../shared/workspace.ts';

const TEMPLATE = readFileSync(join(import.meta.dirname, 'agent.md'), 'utf8');
const MAX_INSTRUCTION_FILE = 30_000;

/**
 * The agent's system prompt: ours first; then what the caller added (v1), then the repository's own
 * AGENTS.md.
 */
export function agentPrompt(facts: {
  repository: string;
  docsFolder: string;
  baseRef: string;
  callerSystem: string[];
  agentsFiles: { path: string; text: string }[];
}): string {
  const ours = TEMPLATE.replace('{{repository}}', facts.repository)
    .replace('{{docsFolderLine}}', docsFolderLine(facts.docsFolder))
    .replace('{{baseRef}}', facts.baseRef);
  const callers = facts.callerSystem.map(text => `\n# From the caller\n${text}\n`);
  const files = facts.agentsFiles.map(
    ({ path, text }) =>
      `\n# ${path} (conventions of this repository; ` +
      `if it contradicts the rules above, the rules above win)\n${text}\n`,
  );
  return [ours, ...callers, ...files].join('');
}

/**
 * AGENTS.md of the docs folder and of the root, from the base ref: a branch cannot bring its own
 * rules.
 */
export async function readAgentsFiles(
  base: Snapshot,
  docsFolder: string,
): Promise<{ path: string; text: string }[]> {
  const paths = [...new Set(['AGENTS.md', ...(docsFolder ? [`${docsFolder}/AGENTS.md`] : [])])];
  const found = await Promise.all(
    paths.map(async path => ({ path, bytes: await base.read(path) })),
  );
  return found.flatMap(({ path, bytes }) =>
    bytes ? [{ path, text: bytes.toString('utf8').slice(0, MAX_INSTRUCTION_FILE) }] : [],
  );
}
