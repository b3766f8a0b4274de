import { policyViolations } from '../../../agent/policy/policy.ts';
import { openWorkspace } from '../../../agent/workspace.ts';
import { memorySnapshot } from '../../support/memory-snapshot.ts';
import { ATTACKS, KNOWN_BEFORE, ODD_FILES, PIECES, WHOLE_PAGES } from './attacks.ts';
import type { Edits } from './tricks.ts';

const BASE = { 'docs/docs.json': '{}', 'docs/plain.md': '# Plain\n' };

async function rules(edits: Edits, base: Record<string, string> = {}): Promise<string[]> {
  const bytes = Object.entries(edits).map(
    ([path, content]) => [path, content === null ? null : Buffer.from(content)] as const,
  );
  const workspace = openWorkspace(memorySnapshot({ ...BASE, ...base }), new Map(bytes));
  const found = await policyViolations(workspace, { docsFolder: 'docs', allowMdxCode: false });
  return [...new Set(found.map(({ rule }) => rule))];
}

it.each(ATTACKS)('%s: %s', async (_, rule, text) => {
  expect(await rules({ 'docs/plain.md': `# Plain\n\n${text}\n` })).toContain(rule);
});

it.each(WHOLE_PAGES)('%s: %s', async (_, rule, text) => {
  expect(await rules({ 'docs/plain.md': text })).toContain(rule);
});

it.each(KNOWN_BEFORE)('%s, where the site has the like: %s', async (_, rule, base, text) => {
  expect(await rules({ 'docs/plain.md': `# Plain\n\n${text}\n` }, base)).toContain(rule);
});

it.each(ODD_FILES)('%s: %s', async (_, rule, edits) => {
  expect(await rules(edits)).toEqual([rule]);
});

it.each(PIECES)('a secret in pieces: %s', async (_, text) => {
  expect(await rules({ 'docs/plain.md': `# Plain\n\nUse ${text} here.\n` })).toContain('secret');
});

it('a page of backticks or of brackets is judged, and nothing ends the process', async () => {
  for (const unit of ['`', '<a b={[', '[', '- ', '<!-- '])
    await rules({ 'docs/plain.md': unit.repeat(Math.floor(900_000 / unit.length)) });
  expect(await rules({ 'docs/plain.md': '# Plain\n' })).toEqual([]);
}, 120_000);
