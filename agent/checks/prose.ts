import { checkProse } from '../prose/check-prose.ts';
import { type ProseRules, readProseRules } from '../prose/prose-rules.ts';
import { ProseError, type ProseFinding } from '../prose/run-vale.ts';
import { findVale } from '../prose/vale-program.ts';
import { keptWith } from '../kept-with.ts';
import { isPagePath } from '../../sites/markdown.ts';
import type { Snapshot, Workspace } from '../../shared/workspace.ts';
import type { Finding } from './finding.ts';

const LIMITS = { timeoutMs: 20_000, maxOutput: 2 * 1024 * 1024 };
const MAX_FINDINGS = 200;

/**
 * What Vale finds in the pages that the job changed and did not find in them before. The rules are
 * those of `rulesFrom`, the newest commit of the project's own branch: what a job writes changes
 * none of them. What hinders Vale is a finding as well, so that it is never taken for praise.
 */
export async function checkChangedProse(
  workspace: Workspace,
  rulesFrom: Snapshot,
  docsFolder: string,
  { program, signal }: { program: string | undefined; signal: AbortSignal },
): Promise<Finding[]> {
  const { before, now } = await changedPages(workspace);
  if (now.size === 0) return [];
  const rules = await rulesOf(rulesFrom, docsFolder);
  if (rules === null) return [];
  const notes = rules.notes.map(note => noteOn(rules, note));
  if (rules.isEmpty) return notes;
  const vale = await findVale(program);
  if ('missing' in vale) return [noteOn(rules, `The prose was not checked. ${vale.missing}`)];
  try {
    const check = (pages: Map<string, string>) =>
      checkProse(vale.path, rules, pages, LIMITS, signal);
    const found = newFindings(await check(before), await check(now), before, now);
    return [...notes, ...found.slice(0, MAX_FINDINGS).map(asFinding)];
  } catch (error) {
    if (!(error instanceof ProseError)) throw error;
    return [...notes, noteOn(rules, `The prose was not checked. ${error.message}`)];
  }
}

/** Texts of the changed pages, as they were and as they are. */
async function changedPages(workspace: Workspace) {
  const before = new Map<string, string>();
  const now = new Map<string, string>();
  for (const [path, bytes] of await workspace.changes()) {
    if (!isPagePath(path)) continue;
    if (bytes !== null) now.set(path, bytes.toString('utf8'));
    const base = workspace.snapshot.entries.has(path) && (await workspace.snapshot.read(path));
    if (base) before.set(path, base.toString('utf8'));
  }
  return { before, now };
}

const rulesOf = keptWith((snapshot: Snapshot, docsFolder) => {
  const paths = [...snapshot.entries]
    .filter(([, { mode }]) => mode.startsWith('100'))
    .map(([path]) => path);
  return readProseRules({ paths, read: path => snapshot.read(path) }, docsFolder);
});

/**
 * Findings are the same by rule and words, wherever in their page they are. A page that moved takes
 * its own along.
 */
function newFindings(
  before: ReadonlyMap<string, ProseFinding[]>,
  now: ReadonlyMap<string, ProseFinding[]>,
  textsBefore: ReadonlyMap<string, string>,
  textsNow: ReadonlyMap<string, string>,
): ProseFinding[] {
  const gone = [...before].flatMap(([path, findings]) => (textsNow.has(path) ? [] : findings));
  const ofGone = counted(gone);
  return [...now].flatMap(([path, findings]) => {
    const old = textsBefore.get(path);
    const left = old === undefined ? ofGone : counted(before.get(path) ?? []);
    const lines = (textsNow.get(path) ?? '').split('\n');
    const oldLines = new Set(old?.split('\n'));
    // Of several that are alike, those on lines that were there before are the old ones.
    const isOldLine = ({ line }: ProseFinding) => oldLines.has(lines[line - 1] ?? '');
    return findings
      .toSorted((a, b) => Number(isOldLine(b)) - Number(isOldLine(a)))
      .filter(one => {
        const count = left.get(keyOf(one)) ?? 0;
        left.set(keyOf(one), count - 1);
        return count <= 0;
      })
      .toSorted((a, b) => a.line - b.line);
  });
}

function counted(findings: readonly ProseFinding[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of findings) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  return counts;
}

function keyOf({ rule, match }: ProseFinding): string {
  return `${rule}\n${match}`;
}

function asFinding({ path, line, rule, severity, message }: ProseFinding): Finding {
  return { path, line, rule: 'prose', severity, message: `${rule}: ${message}` };
}

function noteOn({ file }: ProseRules, message: string): Finding {
  return { path: file, line: null, rule: 'prose', severity: 'warning', message };
}
