import { createHash } from 'node:crypto';
import { ProseError, runVale, type ProseFinding, type ValeLimits } from './run-vale.ts';
import type { ProseRules } from './prose-rules.ts';

/** Of findings by rules, path and text: a job checks the same pages again and again. */
const KEPT_PAGES = 2_000;
const kept = new Map<string, ProseFinding[]>();
/** Arguments of one command. */
const PAGES_AT_ONCE = 200;
/** Rules that took too long, which must not keep those of others waiting again and again. */
const tooSlow = new Map<string, { error: ProseError; until: number }>();
const REST_MS = 10 * 60_000;
/** Vale takes two processors while it runs. */
let last: Promise<unknown> = Promise.resolve();

/**
 * What Vale finds in pages, by repository path; of pages outside the folder of the rules, nothing.
 * One check of a process runs at a time. Throws `ProseError`.
 */
export async function checkProse(
  program: string,
  rules: ProseRules,
  pages: ReadonlyMap<string, string>,
  limits: ValeLimits,
  signal: AbortSignal,
): Promise<Map<string, ProseFinding[]>> {
  const before = tooSlow.get(rules.key);
  if (before && before.until > Date.now()) throw before.error;
  tooSlow.delete(rules.key);
  const prefix = rules.folder === '' ? '' : `${rules.folder}/`;
  const found = new Map<string, ProseFinding[]>();
  const unknown: [path: string, key: string][] = [];
  for (const [path, text] of pages) {
    if (!path.startsWith(prefix)) continue;
    const key = createHash('sha256').update(`${rules.key}\0${path}\0${text}`).digest('hex');
    const findings = kept.get(key);
    if (findings) found.set(path, findings);
    else unknown.push([path, key]);
  }
  for (let start = 0; start < unknown.length; start += PAGES_AT_ONCE) {
    const batch = unknown.slice(start, start + PAGES_AT_ONCE);
    const texts = new Map(
      batch.map(([path]) => [path.slice(prefix.length), pages.get(path) ?? '']),
    );
    const findings = await inTurn(() => runVale(program, rules, texts, limits, signal)).catch(
      (error: unknown) => {
        if (error instanceof ProseError && error.isTooSlow)
          tooSlow.set(rules.key, { error, until: Date.now() + REST_MS });
        throw error;
      },
    );
    for (const [path, key] of batch) {
      const own = findings.filter(one => prefix + one.path === path).map(one => ({ ...one, path }));
      found.set(path, own);
      keep(key, own);
    }
  }
  return found;
}

function keep(key: string, findings: ProseFinding[]): void {
  kept.set(key, findings);
  for (const oldest of kept.keys()) {
    if (kept.size <= KEPT_PAGES) return;
    kept.delete(oldest);
  }
}

function inTurn<T>(task: () => Promise<T>): Promise<T> {
  const result = last.then(task);
  last = result.catch(() => undefined);
  return result;
}
