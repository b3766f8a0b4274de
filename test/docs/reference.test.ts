import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readInstruction } from '../../offline-model/instruction.ts';
import { ConfigSchema } from '../../shared/config.ts';
import { PROBLEMS } from '../../shared/errors.ts';
import { FAILURES } from '../../shared/failures.ts';

const page = (path: string) => readFileSync(join(import.meta.dirname, '..', '..', 'docs', path), 'utf8');

/** Rows of all tables of a page (or of one heading's), as their cells without backticks. */
function rows(text: string, heading?: string): string[][] {
  const part = heading === undefined ? text : text.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...part.matchAll(/^\| (.+) \|$/gm)].map(([, row = '']) => row.split(' | ').map(cell => cell.replaceAll('`', '')));
}

describe('reference tables say what the code says', () => {
  it('configuration: every variable, and its default', () => {
    const documented = new Map(rows(page('operate/configuration.md')).map(([name = '', fallback = '']) => [name, fallback]));
    documented.delete('Variable');
    expect([...documented.keys()].toSorted()).toEqual(Object.keys(ConfigSchema.properties).toSorted());
    for (const [name, schema] of Object.entries(ConfigSchema.properties)) {
      if (schema.default !== undefined && schema.default !== '') expect([name, documented.get(name)]).toEqual([name, String(schema.default)]);
    }
  });

  it('errors: every status with its type', () => {
    const documented = rows(page('api/errors.md'), 'Status codes').slice(1).map(([status, type]) => [Number(status), type]);
    const coded = Object.entries(PROBLEMS).map(([code, { status }]) => [status, code.replaceAll('_', '-')]);
    expect(documented).toEqual(coded);
  });

  it('failure types: every type, and whether it is retried', () => {
    const documented = rows(page('operate/troubleshooting.md'), 'Failure types').slice(1).map(([type, retried]) => [type, retried]);
    expect(documented).toEqual(Object.entries(FAILURES).map(([type, { retry }]) => [type, retry ? 'yes' : 'no']));
  });

  it('offline model: every example is understood', () => {
    const examples = rows(page('agent/offline-model.md'), 'Instructions that it understands').slice(1).map(([, example = '']) => example);
    const several = /```text\n(.+)\n```/.exec(page('agent/offline-model.md'))?.[1] ?? '';
    const read = [...examples, several].map(example => [example, readInstruction(example).map(({ intent }) => intent?.kind ?? 'not understood')]);
    expect(read.filter(([, kinds]) => kinds?.includes('not understood'))).toEqual([]);
    expect(examples.length).toBeGreaterThan(12);
    expect(read.at(-1)?.[1]).toHaveLength(3);
  });
});
