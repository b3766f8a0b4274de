import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tools } from '../../agent/tools/registry.ts';
import { AUDIT_ACTIONS } from '../../db/audit/audit-actions.ts';
import { HOSTS } from '../../hosts/registry.ts';
import { ConfigSchema } from '../../shared/config.ts';
import { SEARCH_ATTRIBUTES } from '../../shared/jobs/job.ts';
import { KINDS } from '../../sites/kinds/registry.ts';
import { ROWS } from '../api/matrix/route-rows.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
/** What readers see: not the folders for contributors. */
const pages = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter(path => path.endsWith('.md') && !/^(?:contributing|decisions)\//.test(path))
  .map(path => ({ path: `docs/${path}`, text: read(`docs/${path}`) }));
const page = (path: string) => read(`docs/${path}`);

/** The cells of each row of the tables below a heading, up to the next one. */
function table(path: string, heading: string): string[][] {
  const [, part = ''] = page(path).split(new RegExp(`^#+ ${heading}\n`, 'm'));
  const [own = ''] = part.split(/^#/m);
  const rows = [...own.matchAll(/^\| (.+) \|$/gm)].map(([, row = '']) => row.split(' | '));
  expect([path, heading, rows.length > 1]).toEqual([path, heading, true]);
  return rows.slice(1);
}

/** Names in code in the first cell of each row. */
const firstNames = (path: string, heading: string) =>
  table(path, heading).flatMap(([cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
const sorted = (names: Iterable<string>) => [...new Set(names)].toSorted();

describe('what the docs name is registered, and what is registered is named', () => {
  it('repository hosts', () => {
    const rows = table('works-with.md', 'Repository hosts: GitHub and others');
    const isYes = ([, answer = '']: string[]) => answer.startsWith('Yes');
    const works = rows.filter(isYes);
    expect(works).toHaveLength(HOSTS.length);
    const named = (cell: string) => cell.replace(/,.*/, '').toLowerCase();
    expect(works.map(([name = '']) => named(name)).toSorted()).toEqual(
      HOSTS.map(({ name }) => name.replace(/^the /, '').toLowerCase()).toSorted(),
    );
    // Hosts that are not there yet are named where it says so, and nowhere else.
    const others = rows.flatMap(row => (isYes(row) ? [] : (row[0] ?? '').split(', ')));
    expect(others.length).toBeGreaterThan(2);
    const elsewhere = [...pages, ...opsFiles()].filter(
      ({ path, text }) =>
        path !== 'docs/works-with.md' &&
        others.some(name => new RegExp(`\\b${name}\\b`).test(text)),
    );
    expect(elsewhere.map(({ path }) => path)).toEqual([]);
  });

  it('site kinds and their generators', () => {
    const kinds = sorted(KINDS.map(({ name }) => name));
    expect(sorted(firstNames('works-with.md', 'Docs generators and site kinds'))).toEqual(kinds);
    expect(sorted(firstNames('operate/check.md', 'Site kinds'))).toEqual(kinds);
    const [, setKind = ''] =
      /Sets what builds the site \((.*?)\)/.exec(page('operate/cli.md')) ?? [];
    expect(sorted(setKind.match(/[a-z][\w.]+(?=`)/g) ?? [])).toEqual(sorted([...kinds, 'detect']));
    const navigation = table('agent/tools.md', 'Edit the navigation').map(([kind = '']) => kind);
    const titles = KINDS.map(({ title }) => title.replace(/^a /, '').toLowerCase());
    expect(sorted(navigation.map(kind => kind.toLowerCase()))).toEqual(sorted(titles));
  });

  it('tools of the agent', () => {
    const named = ['Read and search', 'Edit', 'Plan, check, finish'].flatMap(heading =>
      firstNames('agent/tools.md', heading),
    );
    expect(sorted(named)).toEqual(sorted(tools.map(({ name }) => name)));
  });

  it('rules of the policy', () => {
    const [, union = ''] =
      /type PolicyRule =([^;]+);/.exec(read('agent/policy/violation.ts')) ?? [];
    const rules = sorted([...union.matchAll(/'([\w-]+)'/g)].map(([, rule = '']) => rule));
    expect(rules.length).toBeGreaterThan(15);
    const text = page('agent/policy.md');
    expect(rules.filter(rule => !text.includes(`\`${rule}\``))).toEqual([]);
    const named = firstNames('agent/policy.md', 'What a page may contain');
    expect(named.filter(rule => !rules.includes(rule))).toEqual([]);
  });

  it('actions of the audit log', () => {
    expect(sorted(firstNames('operate/data-and-retention.md', 'What is recorded'))).toEqual(
      sorted(AUDIT_ACTIONS),
    );
  });

  it('search attributes in Temporal', () => {
    const named = pages.flatMap(
      ({ text }) => text.match(/\bDocent(?:Project|Status|Pull)\w*/g) ?? [],
    );
    expect(sorted(named)).toEqual(sorted(Object.values(SEARCH_ATTRIBUTES)));
  });

  it('variables', () => {
    // Both directions of our own are in reference.test.ts.
    const unknown = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/`([A-Z][A-Z0-9]*_[A-Z0-9_]+)`/g)]
        .map(([, name = '']) => name)
        .filter(name => !(name in ConfigSchema.properties) && !OTHERS.test(name))
        .map(name => `${path}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  it('routes', () => {
    const shape = (path: string) =>
      path
        .replace(/[?#].*/, '')
        .split('/')
        .map(part => (/^[:{$<]|…|\*|^\w+_01/.test(part) ? '*' : part))
        .join('/');
    const { paths } = JSON.parse(page('openapi.json')) as { paths: Record<string, object> };
    const served = sorted([
      ...Object.keys(paths).map(shape),
      ...Object.keys(ROWS).map(route => shape(route.replace(/^\w+ /, ''))),
    ]);
    const named = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/(?<![\w.])(\/(?:v[12]\/agent|discovery\/v[12])\/[^\s`"')\\]+)/g)].map(
        ([, route = '']) => [path, shape(route)] as const,
      ),
    );
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter(([, route]) => !served.some(one => fits(route, one)))).toEqual([]);
    const reference = page('api/reference.md');
    const missing = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).filter(
        method => !reference.includes(`\`${method.toUpperCase()} ${path}\``),
      ),
    );
    expect(missing).toEqual([]);
  });

  it('files of the repository', () => {
    const named = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/`((?:ops|test|db|dist|bin|bench)\/[\w./-]+)`/g)].map(
        ([, file = '']) => [path, file] as const,
      ),
    );
    const missing = named.filter(
      ([, file]) => !file.startsWith('dist/') && !existsSync(join(ROOT, file)),
    );
    expect(missing).toEqual([]);
    expect(named.length).toBeGreaterThan(3);
  });
});

/** A route of a page, of which a part may be a file's ending. */
function fits(route: string, served: string): boolean {
  const parts = served.split('/');
  const own = route.split('/');
  return (
    own.length === parts.length &&
    own.every((part, n) => part === parts[n] || part === '*' || /^[*{]/.test(parts[n] ?? ''))
  );
}

function opsFiles(): { path: string; text: string }[] {
  return readdirSync(join(ROOT, 'ops/kubernetes')).map(name => ({
    path: `ops/kubernetes/${name}`,
    text: read(`ops/kubernetes/${name}`),
  }));
}

/** Variables of other programs, and those of demo.env. A new one is added with its program. */
const OTHERS = new RegExp(
  `^(?:${[
    'BASE_URL|DASHBOARD_URL|PROJECT_ID|ADMIN_KEY|ASSISTANT_KEY|TEMPORAL_CLI|EMBEDDED_TEMPORAL', // demo.env
    'AWS_\\w+|GOOGLE_APPLICATION_CREDENTIALS|GIT_\\w+|NO_PROXY|NODE_EXTRA_CA_CERTS|OTEL_\\w+', // SDKs, git, Node.js
    'SQL_\\w+|BIND_ON_IP|TEMPORAL_BROADCAST_ADDRESS|TEMPORAL_ALLOW_NO_AUTH|AUTO_UPGRADE', // Temporal's server
    'MODEL_DEFAULTS|YOUR_API_KEY', // examples: a typing error, a placeholder
  ].join('|')})$`,
);
