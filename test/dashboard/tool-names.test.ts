import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tools } from '../../agent/tools/registry.ts';

const NAMES = 'dashboard/src/components/jobs/timeline/tool-names.ts';

it('the dashboard has words for each tool of the agent', () => {
  const source = readFileSync(join(import.meta.dirname, '..', '..', NAMES), 'utf8');
  const [, table = ''] = /^const TOOLS[^{]*\{\n(.*?)^\};/ms.exec(source) ?? [];
  const named = [...table.matchAll(/^ {2}(\w+): /gm)].map(([, name]) => name);
  expect(new Set(named)).toEqual(new Set([...tools.map(({ name }) => name), 'invalid_call']));
});
