import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tools } from '../../agent/tools/registry.ts';

const NAMES = 'dashboard/src/components/jobs/timeline/tool-names.ts';

it('the dashboard has words for each tool of the agent', () => {
  const source = readFileSync(join(import.meta.dirname, '..', '..', NAMES), 'utf8');
  const [, table = ''] = /^const TOOLS[^{]*\{\n(.*?)^\};/ms.exec(source) ?? [];
  const named = [...table.matchAll(/^ {2}(\w+): /gm)].map(([, name]) => name);
  expect(new Set(named)).toEqual(new Set([...tools.map(({ name }) => name), 'invalid_call']));
});

it('the dashboard knows which of them change no file', () => {
  const root = join(import.meta.dirname, '..', '..');
  const timeline = readFileSync(join(root, 'dashboard/src/data/jobs/timeline.ts'), 'utf8');
  const [, table = ''] = /^const READING[^[]*\[\n(.*?)^\]\);/ms.exec(timeline) ?? [];
  const reading = [...table.matchAll(/'(\w+)'/g)].map(([, name]) => name);
  const folder = join(root, 'agent/tools/edits');
  const editing = readdirSync(folder).flatMap(file =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/^ {2}name: '(\w+)'/gm)].map(
      ([, name]) => name,
    ),
  );
  expect(new Set([...reading, ...editing])).toEqual(new Set(tools.map(({ name }) => name)));
  expect(reading.filter(name => editing.includes(name))).toEqual([]);
});
