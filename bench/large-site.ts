import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Checkout, checkOut, gitGrep, median } from './large-site/git-grep.ts';
import { type Measured, measureTools } from './large-site/measure-tools.ts';
import { type BenchSite, generatedSite, siteOfCheckout } from './large-site/site.ts';
import { openReport, type Report } from './scale/report.ts';

const execute = promisify(execFile);
const DOCENT = join(import.meta.dirname, '..', 'bin', 'docent.mjs');

interface SiteResult {
  tools: Measured[];
  /** `git grep -i` for the same pattern, as a whole process. */
  grep: { filesMs: number; commitMs: number };
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
  const report = openReport(args);
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
  }
  await print(results, folder === undefined ? '' : '-of-checkout', report);
  return { largeSite: results };
}

async function measureSite(site: BenchSite): Promise<SiteResult> {
  const checkout = await checkOut(site.files);
  const empty = await checkOut(generatedSite('docs.json', 1).files);
  try {
    const tools = await measureTools(site);
    const memoryMb = Math.round(process.memoryUsage().rss / 1e6);
    const grep = await gitGrep(checkout, site.pattern);
    return {
      ...{ tools, memoryMb, grep },
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

/** A row for each tool, a column for each site. */
async function print(
  results: Record<string, SiteResult>,
  suffix: string,
  report: Report,
): Promise<void> {
  const [first] = Object.values(results);
  const sites = Object.entries(results);
  const row = (name: string, of: (result: SiteResult) => number) => ({
    '': name,
    ...Object.fromEntries(sites.map(([site, result]) => [site, of(result)])),
  });
  await report.table(
    `tools${suffix}`,
    'Tools, in ms; how long the event loop was held in brackets',
    (first?.tools ?? []).map(({ what }, i) => ({
      '': what,
      ...Object.fromEntries(
        sites.map(([site, { tools }]) => [site, `${tools[i]?.ms} (${tools[i]?.heldMs})`]),
      ),
    })),
  );
  await report.table(`beside${suffix}`, 'Beside them', [
    row('`git grep -i` in the files, whole process, ms', ({ grep }) => grep.filesMs),
    row('`git grep -i` in the commit, ms', ({ grep }) => grep.commitMs),
    row('Turn of the event loop, p99 of the worst tool, ms', ({ tools }) =>
      Math.max(...tools.map(({ loopP99Ms }) => loopP99Ms)),
    ),
    row('`docent check` of the whole site, whole process, ms', ({ check }) => check.ms),
    row('`docent check` of one page, ms', ({ check }) => check.emptyMs),
    row('Memory of the process, MB', ({ memoryMb }) => memoryMb),
  ]);
}
