import { contentItems, findSecrets } from '../agent/policy/judge.ts';
import { longestTurn } from './longest-turn.ts';
import { hostilePages } from './policy/hostile-pages.ts';

const SITE = { kinds: [], plainPython: false, templatesInCode: true };
const SIZES = [225_000, 900_000];
const GOAL_MS = 50;

/**
 * Pages that are made to be slow, judged in the threads: how long each takes (four times as long for
 * four times the size is linear), whether it is refused for it, and how long the process is held.
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  await Promise.all([contentItems('docs/a.md', '# A', SITE), findSecrets('token: x')]);
  const wanted = args.find(one => !one.startsWith('-'));
  const rows: Record<string, Record<string, number | string>> = {};
  let held = 0;
  for (const size of SIZES)
    for (const [name, path, text] of hostilePages(size)) {
      if (wanted !== undefined && name !== wanted) continue;
      const turns = longestTurn();
      const row = (rows[name] ??= {});
      row[`content ${size / 1000}k`] = await msOf(contentItems(path, text, SITE));
      row[`secrets ${size / 1000}k`] = await msOf(findSecrets(text));
      held = Math.max(held, turns.stop());
    }
  console.table(rows);
  console.log(`goal: the process is held for less than ${GOAL_MS} ms of CPU: ${held} ms`);
  return { policy: { heldMs: held } };
}

async function msOf(judging: Promise<unknown>): Promise<number | string> {
  const started = performance.now();
  const ms = () => Math.round(performance.now() - started);
  return judging.then(ms, () => `refused, ${ms()}`);
}
