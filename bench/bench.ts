import { writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** What a bench module exports: it prints its tables and gives its numbers. */
export interface Bench {
  run(args: string[]): Promise<Record<string, unknown>>;
}

/** In the order in which `npm run bench` runs them; `scale` and `retention`, on a cluster, only by name. */
const NAMES = [
  'sites',
  'edits',
  'large-site',
  'large-site-served',
  'retrieval',
  'jobs',
  'watchers',
  'assistant',
  'bodies',
  'policy',
  'refusals',
  'github',
  'dashboard',
];

const [first, ...rest] = process.argv.slice(2);
const named = first && !first.startsWith('-') ? [first] : NAMES;
const args = first && !first.startsWith('-') ? rest : process.argv.slice(2);

const json = option(args, '--json');
const results: Record<string, unknown> = {};
for (const name of named) {
  const module = join(import.meta.dirname, `${name}.ts`);
  if (!existsSync(module)) {
    const exists = (one: string) => existsSync(join(import.meta.dirname, `${one}.ts`));
    if (first === name)
      throw new Error(`There is no bench ${name}. There are: ${NAMES.filter(exists).join(', ')}.`);
    continue;
  }
  const started = performance.now();
  const bench = (await import(module)) as Bench;
  Object.assign(results, await bench.run(args));
  console.log(`${name}: ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
}
if (json) await writeFile(json, `${JSON.stringify(results, null, 2)}\n`);

/** The value behind `--name` in a bench's arguments. */
function option(list: string[], name: string): string | undefined {
  const at = list.indexOf(name);
  return at < 0 ? undefined : list[at + 1];
}
