import { setTimeout as sleep } from 'node:timers/promises';
import { executeAllowed } from '../../agent/execute-call.ts';
import type { ToolContext } from '../../agent/tools/tool.ts';
import { toolContext } from '../../test/agent/tools/context.ts';
import { percentile } from '../jobs/activity-times.ts';
import { median } from './git-grep.ts';
import { type BenchSite, endEdit, movedPath, pageAt } from './site.ts';

const EDITOR = 'str_replace_based_edit_tool';

export interface Measured {
  what: string;
  ms: number;
  /** The longest time that the event loop of the worker was held meanwhile. */
  heldMs: number;
  /** Of all its turns, in milliseconds. */
  loopP99Ms: number;
}

/** A turn on a site: orientation, search, edits, checks, moves, the end. */
export async function measureTools(site: BenchSite): Promise<Measured[]> {
  const context = toolContext(site.files, { docsFolder: site.docsFolder });
  const [one, other] = [pageAt(site, 0.003), pageAt(site, 0.3)].map(path => endEdit(site, path));
  const results: Measured[] = [];
  const act = async (what: string, does: () => Promise<unknown>) =>
    results.push(await measured(what, does));
  const tool = async (what: string, name: string, input: unknown) =>
    await act(what, () => used(context, name, input));
  await act('orientation (reads the site)', () =>
    context.askSite({ kind: 'outline', room: { navigation: 8_000, pages: 8_000 } }),
  );
  await tool('search_text', 'search_text', { pattern: site.pattern });
  results.push(await repeatedSearch(context, site));
  await tool('edit', EDITOR, one?.add);
  await tool('check after one edit', 'check', {});
  await tool('edit, second page', EDITOR, other?.add);
  await tool('check after two edits', 'check', {});
  for (const [what, from] of [
    ['move_page', pageAt(site, 0.5)],
    ['move_page, second', pageAt(site, 0.5, 1)],
  ] as const)
    await tool(what, 'move_page', { from, to: movedPath(from) });
  await tool('check after moves', 'check', {});
  for (const edit of [one, other]) await used(context, EDITOR, edit?.repair);
  await tool('finish', 'finish', { title: 'Move a page', body: 'Moved.', message: 'Moved.' });
  return results;
}

/** The median, as that of `git grep` beside it. */
async function repeatedSearch(context: ToolContext, { pattern }: BenchSite): Promise<Measured> {
  let ms = 0;
  const { heldMs, loopP99Ms } = await measured('', async () => {
    ms = await median(() => used(context, 'search_text', { pattern }));
  });
  return { what: 'search_text, again (median)', ms: Math.round(ms), heldMs, loopP99Ms };
}

async function used(context: ToolContext, name: string, input: unknown): Promise<void> {
  const { result } = await executeAllowed({ name, input }, context);
  // A site can have broken pages from before: then `finish` says so, after its checks.
  if (result.isError && name === 'finish') console.log(`finish: ${result.content}`);
  else if (result.isError) throw new Error(`${name}: ${result.content}`);
}

/** Time of an act, and what the turns of the event loop lasted meanwhile. */
async function measured(what: string, act: () => Promise<unknown>): Promise<Measured> {
  let last = performance.now();
  const turns: number[] = [];
  const tick = () => {
    const now = performance.now();
    turns.push(now - last);
    last = now;
  };
  const timer = setInterval(tick, 1);
  await sleep(5);
  turns.length = 0;
  const started = performance.now();
  await act();
  const ms = Math.round(performance.now() - started);
  tick();
  clearInterval(timer);
  return {
    ...{ what, ms, heldMs: Math.round(Math.max(...turns)) },
    loopP99Ms: Math.round(percentile(turns, 0.99)),
  };
}
