import type Anthropic from '@anthropic-ai/sdk';
import { openWorkspace } from '../../agent/workspace.ts';
import { type LoopResult, runAgentLoop } from '../../bench/agent-loop.ts';
import { OFFLINE_MODEL } from '../../shared/agent-text.ts';
import { memorySnapshot } from '../support/memory-snapshot.ts';

/**
 * Carries an instruction out with the real tools; `diff` has each changed file's new text, null
 * where it was deleted.
 */
export async function offlineJob(
  client: Anthropic,
  instruction: string,
  files: Record<string, string>,
): Promise<LoopResult & { diff: Record<string, string | null> }> {
  const workspace = openWorkspace(memorySnapshot(files), new Map());
  const result = await runAgentLoop(client, workspace, instruction, {
    docsFolder: 'docs',
    model: OFFLINE_MODEL,
  });
  const diff = Object.fromEntries(
    [...(await workspace.changes())].map(([path, content]) => [
      path,
      content?.toString('utf8') ?? null,
    ]),
  );
  return { ...result, diff };
}
