import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Checkout, checkOut, gitGrep, median } from './large-site/git-grep.ts';
import { type Measured, measureTools } from './large-site/measure-tools.ts';
import { type BenchSite, generatedSite, siteOfCheckout } from './large-site/site.ts';
import { printTable } from './scale/table.ts';

const execute = promisify(execFile);
const DOCENT = join(import.meta.dirname, '..', 'bin', 'docent.mjs');

interface SiteResult {
  tools: Measured[];
  /** `git grep -i` for the same pattern, as a whole process. */
  grep: { filesMs: number; commitMs: number };
  /** search_text, the median, in units of `git grep` in the work tree. */
  timesGrep: number;
  /** The whole process, and what a site of one page takes. */
  check: { ms: number; emptyMs: number };
  memoryMb: number;
}

/**
 * The agent's tools on generated sites of `--pages` (1,000), or on the checkout in `--repository`:
 * the first call reads the site, later ones what changed. Beside them `git grep` in the same files,
 * and `docent check` of the whole site.
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  const valueOf = (name: string) => {
    const at = args.indexOf(name);
    return at < 0 ? undefined : args[at + 1];
  };
  const folder = valueOf('--repository');
  const pages = Number(valueOf('--pages') ?? 1_000);
  const results: Record<string, SiteResult> = {};
  // A worker has run for a while: the code is compiled, the pages are new.
  for (const kind of ['docs.json', 'docusaurus'] as const)
    await measureTools(generatedSite(kind, 120, 1));
  const sites =
    folder === undefined
      ? (['docs.json', 'docusaurus'] as const).map(kind => () => generatedSite(kind, pages))
      : [() => siteOfCheckout(folder)];
  for (const make of sites) {
    const site = make();
    const result = await measureSite(site);
    results[site.name] = result;
    print(site, result);
  }
  return { largeSite: results };
}

async function measureSite(site: BenchSite): Promise<SiteResult> {
  const checkout = await checkOut(site.files);
  const empty = await checkOut(generatedSite('docs.json', 1).files);
  try {
    const tools = await measureTools(site);
    const memoryMb = Math.round(process.memoryUsage().rss / 1e6);
    const grep = await gitGrep(checkout, site.pattern);
    const search = tools.find(({ what }) => what.startsWith('search_text, again'))?.ms ?? NaN;
    return {
      ...{ tools, memoryMb, grep },
      timesGrep: Math.round((search / grep.filesMs) * 10) / 10,
      check: { ms: await wholeCheck(checkout), emptyMs: await wholeCheck(empty) },
    };
  } finally {
    await checkout.remove();
    await empty.remove();
  }
}

/** `docent check`, which ends with 1 if it finds something. */
async function wholeCheck({ folder }: Checkout): Promise<number> {
  const args = [DOCENT, 'check', folder, '--no-prose', '--json'];
  const check = async () =>
    await execute(process.execPath, args, { maxBuffer: 1e9 }).catch((error: { code: unknown }) => {
      if (error.code !== 1) throw error;
    });
  return Math.round(await median(check, 2));
}

function print({ name }: BenchSite, { tools, grep, timesGrep, check, memoryMb }: SiteResult): void {
  printTable(
    name,
    tools.map(({ what, ms, heldMs, loopP99Ms }) => ({
      '': what,
      ms,
      'Held, ms': heldMs,
      'Turn of the loop, p99, ms': loopP99Ms,
    })),
  );
  printTable(`${name}: beside`, [
    { '': '`git grep -i` in the files, whole process', ms: grep.filesMs },
    { '': '`git grep -i` in the commit', ms: grep.commitMs },
    { '': '`docent check` of the whole site, whole process', ms: check.ms },
    { '': '`docent check` of one page', ms: check.emptyMs },
  ]);
  console.log(`search_text: ${timesGrep} times git grep in the files (goal 3); ${memoryMb} MB.`);
}
