import { policyViolations } from '../../../agent/policy/policy.ts';
import { openWorkspace } from '../../../agent/workspace.ts';
import { memorySnapshot } from '../../support/memory-snapshot.ts';
import { LONG, type Row, SITES, siteFiles, TRICKS } from './generator-tricks.ts';

async function violations([site, path, , text, more]: Row) {
  const base = memorySnapshot({ ...siteFiles(site), ...more });
  const edits = new Map([[path, Buffer.from(text)]]);
  return policyViolations(openWorkspace(base, edits), { docsFolder: 'docs', allowMdxCode: false });
}

it.each([...TRICKS, ...LONG])('%s, %s: %s', async (...row) => {
  expect(await violations(row)).not.toEqual([]);
});

it.each(Object.keys(SITES))('a plain page passes in each site: %s', async site => {
  const path = site === 'rst' ? 'docs/t.rst' : 'docs/t.md';
  const text = site === 'rst' ? 'A\n=\n\nWords::\n\n    {{ x }}\n' : '# A\n\n```js\n<b>\n```\n';
  expect(await violations([site, path, '', text])).toEqual([]);
});
