import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UPLOAD_BODY_LIMIT } from '../../shared/jobs/uploads.ts';
import { costMicroUsd } from '../../shared/models/model-prices.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const cells = (text: string) =>
  [...text.matchAll(/^\| (.+) \|$/gm)].map(([, row = '']) => row.split(' | '));

/** A number that a file has under a name, as `const NAME = 1024 * 1024` or `name: 4 * MIB`. */
function constant(path: string, name: string): number {
  const [, written = ''] =
    new RegExp(`\\b${name}(?: =|:) ((?:[\\d_ */]|MIB)+)`).exec(read(path)) ?? [];
  const factors = written.trim().replaceAll('_', '').replaceAll('MIB', '1048576');
  expect([path, name, factors]).toEqual([path, name, expect.stringMatching(/^[\d */]+$/)]);
  const [first = '', ...rest] = factors.split(/ (?=[*/])/);
  return rest.reduce((value, part) => {
    const operand = Number(part.slice(2));
    return part.startsWith('*') ? value * operand : value / operand;
  }, Number(first));
}

const MIB = 1024 * 1024;
const mib = (bytes: number) =>
  bytes < MIB ? `${bytes / 1024} KiB` : `${Math.round((bytes / MIB) * 10) / 10} MiB`;
const count = (n: number) => n.toLocaleString('en');
const BODIES = 'api/plugins/body-limits.ts';
const LIFETIMES = 'db/people/session-and-link-lifetimes.ts';

/** Rows of the page of limits that no setting decides: the first cell, and what the next one says. */
const ROWS: [first: string, says: () => string[]][] = [
  ['Empty answers', () => [count(constant('workflows/turn-limits.ts', 'MAX_EMPTY_REPLIES') + 1)]],
  ['Cut-off answers', () => [count(constant('workflows/turn-limits.ts', 'MAX_CUTS'))]],
  ['Agent', () => [mib(constant(BODIES, 'text')), mib(UPLOAD_BODY_LIMIT)]],
  ['Assistant messages', () => [mib(constant(BODIES, 'conversation'))]],
  ['GitHub’s webhook', () => [mib(constant('api/webhook/routes.ts', 'BODY_LIMIT'))]],
  [
    'git in the built-in host',
    () =>
      ['MAX_PUSH', 'MAX_NEGOTIATION'].map(name =>
        mib(constant('api/local-host/git-routes.ts', name)),
      ),
  ],
  ['Pull requests and review comments', () => [mib(constant(BODIES, 'text'))]],
  ['Search, page', () => [mib(constant(BODIES, 'usual'))]],
  ['Prompt', () => [count(constant('shared/jobs/job.ts', 'MAX_PROMPT'))]],
  ['Request body', () => [mib(constant(BODIES, 'text'))]],
  [
    'A file that the agent writes',
    () => [mib(constant('agent/policy/violation.ts', 'MAX_FILE_BYTES'))],
  ],
  [
    'An attached image',
    () => [
      mib(constant('shared/images/upload-limits.ts', 'LARGEST_UPLOAD')),
      `${['', '', '', '', '', 'five'][constant('shared/images/upload-limits.ts', 'MOST_UPLOADS')]} per`,
      mib(constant('shared/images/upload-limits.ts', 'LARGEST_UPLOADS')),
    ],
  ],
  ['AGENTS.md', () => [count(constant('agent/prompts/system-prompt.ts', 'MAX_INSTRUCTION_FILE'))]],
];

/** Numbers in sentences of other pages. */
const SENTENCES: [path: string, says: () => string][] = [
  ['operate/users.md', () => `after ${constant(LIFETIMES, 'SESSION_IDLE_DAYS')} days without use`],
  ['operate/users.md', () => `after ${constant(LIFETIMES, 'SESSION_DAYS')} days in any case`],
  ['operate/users.md', () => `valid for ${constant(LIFETIMES, 'INVITATION_HOURS') / 24} days`],
  ['operate/users.md', () => `within ${constant(LIFETIMES, 'SIGN_ON_MINUTES')} minutes`],
  ['operate/github.md', () => `within ${constant(LIFETIMES, 'GITHUB_CONNECT_MINUTES')} minutes`],
  [
    'agent/policy.md',
    () => `more than ${constant('agent/policy/judge.ts', 'MOST_SECONDS')} seconds`,
  ],
  [
    'agent/tools.md',
    () => `${count(constant('agent/openapi/resolved-text.ts', 'MOST_CHARACTERS'))} characters`,
  ],
  [
    'agent/dashboard.md',
    () =>
      `${count(constant('agent/tools/reading/view.ts', 'MAX_VIEW_CHARACTERS'))} characters each`,
  ],
  [
    'assistant/request-and-stream.md',
    () => `1 to ${constant('db/search/number-of-results.ts', 'MOST_RESULTS')}`,
  ],
  [
    'api/limits.md',
    () => `${count(constant('jobs/watch/job-feed.ts', 'MAX_WATCHES'))} event streams`,
  ],
  ['api/limits.md', () => `After ${mib(constant(BODIES, 'BUDGET'))}`],
];

describe('limits in the docs', () => {
  const page = read('docs/api/limits.md').replaceAll("'", '’');

  it('are those of the code, and each row has a setting or is checked here', () => {
    const rows = cells(page)
      .filter(row => !/^(?:Limit$|Endpoints$|\|)/.test(row[0] ?? '') && !row[0]?.startsWith('---'))
      .map(
        row => [row[0]!.replaceAll(/[[\]`]|\(\/[^)]*\)/g, ''), row.slice(1).join(' | ')] as const,
      );
    expect(rows.length).toBeGreaterThan(20);
    const open = rows.filter(([, rest]) => !/`[A-Z_]{6,}`/.test(rest));
    expect(
      open.map(([first]) => ROWS.find(([name]) => first.startsWith(name))?.[0] ?? first),
    ).toEqual(expect.arrayContaining(ROWS.map(([name]) => name)));
    for (const [first, rest] of open) {
      const known = ROWS.find(([name]) => first.startsWith(name));
      expect([first, known?.[1]().filter(value => !rest.includes(value))]).toEqual([first, []]);
    }
  });

  it.each(SENTENCES)('%s has the number of the code', (path, says) => {
    expect(read(`docs/${path}`)).toContain(says());
  });
});

describe('the price of the example', () => {
  const page = read('docs/cost.md');

  it('is what these tokens cost by the list prices', () => {
    const rows = cells(page).filter(row => /^\$\d/.test(row[4] ?? ''));
    expect(rows).toHaveLength(3);
    for (const [model = '', ...numbers] of rows) {
      const [cacheWriteTokens = NaN, cacheReadTokens = NaN, outputTokens = NaN] = numbers
        .slice(0, 3)
        .map(each => Number(each.replaceAll(',', '')));
      const name = model.replaceAll('`', '');
      const cost = costMicroUsd(
        { MODEL_PRICES: '{}' },
        { answered: name, asked: name },
        { inputTokens: 0, outputTokens, cacheReadTokens, cacheWriteTokens },
      );
      expect([model, numbers[3]]).toEqual([model, `$${(cost! / 1e6).toFixed(3)}`]);
    }
    const [, written, repeated] = rows[0] ?? [];
    const number = (text = '') => Number(text.replaceAll(',', ''));
    expect(/had ([\d,]+) input tokens/.exec(page)?.[1]).toBe(
      count(number(written) + number(repeated)),
    );
  });
});
