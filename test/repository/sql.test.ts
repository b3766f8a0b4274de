import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
/** What runs in production; `shared/db` has all of its SQL. */
const PRODUCT = ['activities', 'api', 'cli', 'dashboard', 'hosts', 'shared', 'worker', 'workflows'];

/** The beginning of an SQL statement at the beginning of a text. */
const STATEMENT = new RegExp(
  `['"\`]\\s*(?:${[
    'select\\s[^\'"`]*\\sfrom\\s',
    'select (?:\\d|pg_|exists)',
    'insert\\s+into\\s',
    'update\\s+\\w+(?:\\s+\\w+)?\\s+set\\s',
    'delete\\s+from\\s',
    'with\\s+(?:recursive\\s+)?\\w+\\s+as\\s',
    '(?:create|alter|drop)\\s+(?:table|index|database|schema|role)\\s',
    '(?:lock\\s+table|truncate|vacuum|listen|notify)\\s',
  ].join('|')})`,
  'i',
);
const DRIVER = /^import (?!type ).* from 'pg';$/m;

function whatIsWrong(source: string): string | undefined {
  return STATEMENT.exec(source)?.[0] ?? DRIVER.exec(source)?.[0];
}

describe('SQL', () => {
  it('stands in shared/db and nowhere else', async () => {
    const files = execFileSync('git', ['ls-files', ...PRODUCT], { cwd: ROOT, encoding: 'utf8' })
      .split('\n')
      .filter(path => /\.(?:ts|tsx|mts|mjs)$/.test(path) && !path.startsWith('db/'));
    expect(files.length).toBeGreaterThan(300);
    const found: Record<string, string> = {};
    for (const path of files) {
      const wrong = whatIsWrong(await readFile(join(ROOT, path), 'utf8').catch(() => ''));
      if (wrong !== undefined) found[path] = wrong;
    }
    expect(found).toEqual({});
  });

  it('counts up a job’s version in one place', () => {
    const found = execFileSync('git', ['grep', '-c', 'version = version + 1', '--', ...PRODUCT], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect(found).toBe('db/jobs/job.ts:1\n');
  });

  it.each([
    `await db.query('select id from jobs where id = $1', [id]);`,
    'const { rows } = await db.query(`\n  with a as (select 1)\n  select a from a`);',
    `tx.query("update instructions set state = 'dropped'")`,
    '`insert into jobs (id) values ($1)`',
    `pool.query('select 1')`,
    `client.query('select pg_advisory_lock($1)')`,
    `connection.query('LISTEN job_events')`,
    `import pg from 'pg';`,
  ])('is recognized: %s', source => {
    expect(whatIsWrong(source)).toBeDefined();
  });

  it.each([`import type pg from 'pg';`, `'with care'`, `"Update the docs"`])(
    'is not seen in: %s',
    source => {
      expect(whatIsWrong(source)).toBeUndefined();
    },
  );
});
