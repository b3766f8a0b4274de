import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { policyViolations } from '../../../agent/policy/policy.ts';
import { openWorkspace } from '../../../agent/workspace.ts';
import { memorySnapshot } from '../../support/memory-snapshot.ts';
import { HARMLESS_PAGES } from './harmless-pages.ts';

/** What the policy says of a page that is new, and of one that gets a paragraph. */
async function refusals({ path, text, site }: (typeof HARMLESS_PAGES)[number]) {
  const judge = (base: Record<string, string>, now: string) =>
    policyViolations(openWorkspace(memorySnapshot(base), new Map([[path, Buffer.from(now)]])), {
      docsFolder: 'docs',
      allowMdxCode: false,
    });
  return [
    ...(await judge({ 'docs/index.md': '# Home\n', ...site }, text)),
    ...(await judge({ ...site, [path]: text }, `${text}\nOne more paragraph.\n`)),
  ];
}

it(`none of ${HARMLESS_PAGES.length} harmless pages is refused`, async () => {
  expect(HARMLESS_PAGES.length).toBeGreaterThanOrEqual(30);
  const refused: string[] = [];
  for (const one of HARMLESS_PAGES)
    for (const { rule, message } of await refusals(one))
      refused.push(`${one.name}: ${rule} ${message}`);
  console.info(`false refusals: ${refused.length} of ${2 * HARMLESS_PAGES.length}`);
  expect(refused).toEqual([]);
});

it('nor is any page of the docs of this project: one half, added to the other', async () => {
  const root = join(import.meta.dirname, '..', '..', '..');
  const paths = execFileSync('git', ['ls-files', 'docs'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter(path => /\.(?:mdx?|json)$/.test(path));
  const files = paths.map(path => [path, readFileSync(join(root, path))] as const);
  const isNew = (path: string, i: number) => i % 2 === 1 && path.endsWith('.md');
  const base = Object.fromEntries(files.filter(([path], i) => !isNew(path, i)));
  const added = new Map(files.filter(([path], i) => isNew(path, i)));
  expect(added.size).toBeGreaterThanOrEqual(20);
  const refused = await policyViolations(openWorkspace(memorySnapshot(base), added), {
    docsFolder: 'docs',
    allowMdxCode: false,
  });
  console.info(`false refusals: ${refused.length} in ${added.size} real pages`);
  expect(refused).toEqual([]);
}, 60_000);

it('the process answers others while large pages are judged', async () => {
  const section = HARMLESS_PAGES.filter(({ path }) => path.endsWith('.md'))
    .map(({ text }) => text.replace(/^---[^]*?---\n/, ''))
    .join('\n');
  const text = section.repeat(Math.floor(900_000 / section.length));
  // Once before: the first use loads the rules.
  await refusals({ name: '', path: 'docs/a.md', text: 'token: x\n', site: {} });
  let longest = 0;
  let last = performance.now();
  const beat = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  await refusals({ name: '', path: 'docs/a.md', text, site: {} });
  clearInterval(beat);
  console.info(`longest pause of the event loop: ${Math.round(longest)} ms`);
  // 50 ms on a machine of its own; the tests share theirs.
  expect(longest).toBeLessThan(500);
}, 120_000);
