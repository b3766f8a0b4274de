import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FORMS, readInstruction } from '../../offline-model/forms.ts';
import { ConfigSchema } from '../../shared/config.ts';
import { PROBLEMS } from '../../shared/errors.ts';
import { FAILED_ENDINGS, FAILURES } from '../../shared/jobs/failures.ts';
import { RESULTS } from '../../shared/jobs/result.ts';

const DOCS = join(import.meta.dirname, '../../docs');
const page = (path: string) => readFileSync(join(DOCS, path), 'utf8');

/** Rows of all tables of a page (or of one heading's), as their cells without backticks. */
function rows(text: string, heading?: string): string[][] {
  const part =
    heading === undefined ? text : (text.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '');
  return [...part.matchAll(/^\| (.+) \|$/gm)].map(([, row = '']) =>
    row.split(' | ').map(cell => cell.replaceAll('`', '')),
  );
}

/** The defaults by variable, as the page of all settings has them. */
function configuration(): Map<string, string> {
  const documented = new Map(
    rows(page('operate/configuration.md')).map(([name = '', fallback = '']) => [name, fallback]),
  );
  documented.delete('Variable');
  return documented;
}

describe('reference tables say what the code says', () => {
  it('configuration: every variable, and its default', () => {
    const documented = configuration();
    expect([...documented.keys()].toSorted()).toEqual(
      Object.keys(ConfigSchema.properties).toSorted(),
    );
    for (const [name, schema] of Object.entries(ConfigSchema.properties)) {
      if (schema.default !== undefined && schema.default !== '')
        expect([name, documented.get(name)]).toEqual([name, String(schema.default)]);
    }
  });

  it('other pages: the defaults that they name, in tables with a setting a row and in sentences', () => {
    const documented = configuration();
    const named = readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
      .filter(path => path.endsWith('.md') && path !== 'operate/configuration.md')
      .flatMap(path => {
        const inTables = rows(page(path)).flatMap(cells =>
          cells
            .slice(1)
            .filter(cell => documented.has(cell))
            .map(name => [path, name, cells[1]]),
        );
        const inSentences = [
          ...page(path).matchAll(/`([A-Z_]+)`[^.|`]*?(\d[\d,]*) by default/g),
        ].map(([, name, fallback]) => [path, name, fallback]);
        return [...inTables, ...inSentences];
      });
    for (const [path, name, fallback] of named)
      expect([path, name, fallback?.replaceAll(',', '')]).toEqual([
        path,
        name,
        documented.get(name ?? ''),
      ]);
    expect(named.length).toBeGreaterThan(15);
  });

  it('errors: every status with its type', () => {
    const documented = rows(page('api/errors.md'), 'Status codes')
      .slice(1)
      .map(([status, type]) => [Number(status), type]);
    const coded = Object.entries(PROBLEMS).map(([code, { status }]) => [
      status,
      code.replaceAll('_', '-'),
    ]);
    expect(documented).toEqual(coded);
  });

  it('failure types: every type, and whether it is retried', () => {
    const documented = rows(page('operate/troubleshooting.md'), 'Failure types')
      .slice(1)
      .map(([type, retried]) => [type, retried]);
    expect(documented).toEqual(
      Object.entries(FAILURES).map(([type, { retry }]) => [type, retry ? 'yes' : 'no']),
    );
  });

  it('follow a job: every code of a turn that failed without a failed activity', () => {
    const documented = rows(page('agent/follow-a-job.md'), 'The outcome of a job').map(
      ([name]) => name,
    );
    expect(documented.slice(1, 1 + RESULTS.length)).toEqual(RESULTS);
    expect(documented.slice(2 + RESULTS.length)).toEqual(Object.keys(FAILED_ENDINGS));
  });

  it('offline model: every form, with an example that is read as one', () => {
    const documented = rows(
      page('agent/offline-model.md'),
      'Instructions that it understands',
    ).slice(1);
    const kinds = documented.map(([, , example = '']) =>
      readInstruction(example)?.map(({ kind }) => kind),
    );
    expect(documented.map(([, form]) => form?.replaceAll('\\|', '|'))).toEqual(
      FORMS.map(({ form }) => form),
    );
    expect(kinds).toEqual(FORMS.map(({ kind }) => [kind]));
    const several = /```text\n(.+)\n```/.exec(page('agent/offline-model.md'))?.[1] ?? '';
    expect(readInstruction(several)).toHaveLength(3);
  });
});
