import { setTimeout as sleep } from 'node:timers/promises';
import type { ToolContext } from '../activities/tools/tool.ts';
import { executeAllowed } from '../activities/execute-call.ts';
import { toolContext } from '../test/tools/context.ts';
import { largeSite, type LargeSiteKind, pagePath } from './large-site/pages.ts';

export interface Measured {
  what: string;
  ms: number;
  /** The longest time that the event loop of the worker was held meanwhile. */
  heldMs: number;
}

/**
 * The agent's tools on a generated site of `--pages` (1,000): the first call reads the site, later
 * ones what changed.
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  const at = args.indexOf('--pages');
  const pages = at < 0 ? 1_000 : Number(args[at + 1]);
  const results: Record<string, Measured[]> = {};
  for (const kind of ['docs.json', 'docusaurus'] as const) {
    // A worker has run for a while: the code is compiled, the pages are new.
    await measureSite(kind, 120, 1);
    console.log(`${kind}, ${pages} pages`);
    console.table((results[kind] = await measureSite(kind, pages)));
  }
  return { largeSite: results };
}

/** A turn on a site: orientation, search, edits, checks, a move, the end. */
export async function measureSite(
  kind: LargeSiteKind,
  pages: number,
  seed = 0,
): Promise<Measured[]> {
  const context = toolContext(largeSite(kind, pages, seed));
  const extension = kind === 'docs.json' ? 'mdx' : 'md';
  const file = (i: number) => `docs/${pagePath(i)}.${extension}`;
  const edit = (i: number) => ({
    command: 'str_replace',
    path: file(i),
    old_str: `This page explains widget${i}.`,
    new_str: `This page explains gadget${i}, and [more](./missing-${i}).`,
  });
  const results: Measured[] = [];
  const tool = async (what: string, name: string, input: unknown) =>
    results.push(await measure(what, () => used(context, name, input)));
  results.push(
    await measure('orientation (reads the site)', () =>
      context.askSite({ kind: 'outline', room: { navigation: 8_000, pages: 8_000 } }),
    ),
  );
  await tool('search_text', 'search_text', { pattern: 'widget77' });
  await tool('str_replace', 'str_replace_based_edit_tool', edit(3));
  await tool('check after one edit', 'check', {});
  await tool('str_replace, second page', 'str_replace_based_edit_tool', edit(300 % pages));
  await tool('check after two edits', 'check', {});
  await tool('move_page', 'move_page', {
    from: file(500 % pages),
    to: file(500 % pages).replace('page-', 'moved-'),
  });
  await tool('move_page, second', 'move_page', {
    from: file(501 % pages),
    to: file(501 % pages).replace('page-', 'moved-'),
  });
  await tool('check after moves', 'check', {});
  for (const i of [3, 300 % pages]) {
    const { old_str: before, new_str: after, ...place } = edit(i);
    await used(context, 'str_replace_based_edit_tool', {
      ...place,
      old_str: after,
      new_str: before.replace('widget', 'gadget'),
    });
  }
  await tool('finish', 'finish', { title: 'Move a page', body: 'Moved.', message: 'Moved.' });
  return results;
}

async function used(context: ToolContext, name: string, input: unknown): Promise<void> {
  const { result } = await executeAllowed({ name, input }, context);
  if (result.isError) throw new Error(`${name}: ${result.content}`);
}

/** Time of an act, and the longest gap between two turns of the event loop meanwhile. */
async function measure(what: string, act: () => Promise<unknown>): Promise<Measured> {
  let last = performance.now();
  let heldMs = 0;
  const tick = () => {
    const now = performance.now();
    heldMs = Math.max(heldMs, now - last);
    last = now;
  };
  const timer = setInterval(tick, 1);
  await sleep(5);
  heldMs = 0;
  const started = performance.now();
  await act();
  const ms = Math.round(performance.now() - started);
  tick();
  clearInterval(timer);
  return { what, ms, heldMs: Math.round(heldMs) };
}
