import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { policyViolations } from '../agent/policy/policy.ts';
import { openWorkspace } from '../agent/workspace.ts';
import { readSite } from '../sites/kinds/registry.ts';
import { folderSource } from '../sites/command/folder-source.ts';
import { memorySnapshot } from '../test/support/memory-snapshot.ts';

/** Pages of each repository that are judged at most, spread over the site. */
const PAGES = 100;
/** One page of so many: what is allowed follows from the pages that stay. */
const ONE_OF = 8;

/**
 * False refusals: pages of public repositories, each judged as if a job had added it to the rest of
 * its site. `--repositories DIR` holds a checkout per folder, `--verbose` prints each refusal.
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  const at = args.indexOf('--repositories');
  const folder = at < 0 ? undefined : args[at + 1];
  if (folder === undefined || !existsSync(folder)) {
    console.log('refusals: needs --repositories DIR; nothing to judge.');
    return {};
  }
  const rows: Record<string, { pages: number; refused: number; rules: string }> = {};
  for (const name of readdirSync(folder).toSorted()) {
    const row = await judge(join(folder, name), args.includes('--verbose'));
    if (row) rows[name] = row;
  }
  console.table(rows);
  const sum = (of: 'pages' | 'refused') => Object.values(rows).reduce((n, row) => n + row[of], 0);
  const [pages, refused] = [sum('pages'), sum('refused')];
  console.log(`refused: ${refused} of ${pages} (${((100 * refused) / pages).toFixed(2)} %)`);
  return { refusals: { pages, refused } };
}

async function judge(folder: string, isVerbose: boolean) {
  const source = folderSource(folder);
  const site = readSite(source);
  if (!site) return undefined;
  const all = site.pages.map(({ file }) => file).filter(file => /\.mdx?$/.test(file));
  const step = Math.max(ONE_OF, Math.floor(all.length / PAGES));
  const sample = new Set(all.filter((_, i) => i % step === 0).slice(0, PAGES));
  const base: Record<string, string> = {};
  for (const path of source.paths) if (!sample.has(path)) base[path] = source.read(path) ?? '';
  const snapshot = memorySnapshot(base);
  const rules = new Map<string, number>();
  let refused = 0;
  for (const path of sample) {
    const changes = new Map([[path, readFileSync(join(folder, path))]]);
    const violations = await policyViolations(openWorkspace(snapshot, changes), {
      docsFolder: site.docsFolder,
      allowMdxCode: false,
    });
    if (violations.length > 0) refused += 1;
    for (const { rule, message } of violations) {
      rules.set(rule, (rules.get(rule) ?? 0) + 1);
      if (isVerbose) console.log(`${path}: ${rule} ${message}`);
    }
  }
  return { pages: sample.size, refused, rules: [...rules.keys()].join(' ') };
}
