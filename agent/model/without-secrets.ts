import type { JobProject } from '../../db/jobs/job-project.ts';
import type { Block } from '../../db/jobs/transcript.ts';
import type { ActivityDeps } from '../deps.ts';
import { loadWorkspace } from '../job-workspace.ts';
import { BasePages } from '../policy/base-pages.ts';
import { redactionIn, redactSecrets } from '../policy/secrets/redact.ts';
import type { Position } from '../../shared/jobs/activity-types.ts';

/**
 * What the model said, as it is kept and shown: no secret that it wrote or read gets into the
 * transcript, an event, a summary or a page. Its thoughts are signed, so they are dropped if they
 * have one.
 */
export async function withoutSecrets(
  deps: ActivityDeps,
  project: JobProject,
  { workspaceHead }: Position,
  content: Block[],
  signal: AbortSignal,
): Promise<Block[]> {
  let pages: Promise<BasePages | undefined> | undefined;
  const isKnown = async (value: string): Promise<boolean> => {
    pages ??= basePages(deps, project, workspaceHead, signal);
    return (await (await pages)?.names(value)) ?? false;
  };
  const kept: Block[] = [];
  for (const block of content) {
    const redacted = await redactSecrets(block, isKnown);
    const isSigned = !['text', 'tool_use'].includes(block.type);
    if (!isSigned || redactionIn(redacted) === redactionIn(block))
      kept.push(isSigned ? block : redacted);
  }
  return kept;
}

async function basePages(
  deps: ActivityDeps,
  project: JobProject,
  workspaceHead: string | null,
  signal: AbortSignal,
): Promise<BasePages | undefined> {
  if (!workspaceHead) return undefined;
  const { workspace } = await loadWorkspace(deps, project, workspaceHead, signal);
  return BasePages.of(workspace.snapshot, project.docsFolder);
}
