import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { docsFolderLine } from '../../shared/agent-text.ts';
import type { Snapshot } from '../../shared/workspace.ts';
import type { SiteDescription } from '../site/site-questions.ts';

const TEMPLATE = readFileSync(join(import.meta.dirname, 'agent.md'), 'utf8');
const MAX_INSTRUCTION_FILE = 30_000;

/**
 * The agent's system prompt: ours first; then what the caller added (v1), then the repository's own
 * AGENTS.md.
 */
export function agentPrompt(facts: {
  repository: string;
  docsFolder: string;
  site: SiteDescription;
  baseRef: string;
  callerSystem: string[];
  agentsFiles: { path: string; text: string }[];
}): string {
  const ours = TEMPLATE.replace('{{repository}}', facts.repository)
    .replace('{{docsFolderLine}}', docsFolderLine(facts.docsFolder))
    .replace('{{baseRef}}', facts.baseRef)
    .replace('{{siteLines}}', () => siteLines(facts.site));
  const callers = facts.callerSystem.map(text => `\n# From the caller\n${text}\n`);
  const files = facts.agentsFiles.map(
    ({ path, text }) =>
      `\n# ${path} (conventions of this repository; ` +
      `if it contradicts the rules above, the rules above win)\n${text}\n`,
  );
  return [ours, ...callers, ...files].join('');
}

/**
 * The kind of site and its rules. Names come from the repository: one that is more than a name is
 * left out.
 */
function siteLines(site: SiteDescription): string {
  const oneLine = (text: string) => text.replace(/\s+/g, ' ').slice(0, 400);
  const files = site.navigationFiles.filter(isName).slice(0, MOST_FILES);
  const base =
    isName(site.basePath) && site.basePath !== '/' ? ` Addresses begin with ${site.basePath}.` : '';
  return [
    `Site: ${site.title}. ${oneLine(site.addressRule)}${base}`,
    `Navigation: ${oneLine(site.navigationRule)}`,
    ...(files.length > 0 ? [`Navigation files, which you may edit: ${files.join(', ')}`] : []),
    ...(site.unread.length > 0
      ? [`Not known before the build: ${oneLine(site.unread.join(' '))}`]
      : []),
    ...(site.unreadPages === null
      ? []
      : [`${site.unreadPages} Say so if the instruction is about them.`]),
  ]
    .map(line => `${line}\n`)
    .join('');
}

const MOST_FILES = 10;

function isName(text: string): boolean {
  return /^[\w./@-]{1,200}$/.test(text);
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
