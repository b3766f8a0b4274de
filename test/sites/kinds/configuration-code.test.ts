import { existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pythonAssignments } from '../../../sites/code/python-literals.ts';
import { ModuleReader } from '../../../sites/code/read-module.ts';
import { asString, at, itemsOf, unknownParts } from '../../../sites/code/static-value.ts';
import { testSite } from '../../support/site-files.ts';

/** Far more than any of these needs, on a slow machine too; a loop would take for ever. */
const BOUND_MS = 10_000;

const read = (files: Record<string, string>, file = 'config.ts') =>
  new ModuleReader(path => files[path]).defaultExport(file);

describe('configuration written as code', () => {
  it('is never run, not even where it ends the process or loops', () => {
    const marker = join(tmpdir(), `docent-never-run-${process.pid}`);
    rmSync(marker, { force: true });
    const { paths } = testSite({
      'docusaurus.config.js': `
        require('fs').writeFileSync(${JSON.stringify(marker)}, 'run');
        process.exit(3);
        while (true) {}
        module.exports = { presets: [['classic', { docs: { routeBasePath: '/' } }]] };`,
      'docs/a.md': '',
    });
    expect(paths).toEqual({ 'docs/a.md': '/a' });
    expect(existsSync(marker)).toBe(false);
  });

  it('does not run conf.py, and reads what stands beside the code', () => {
    const { paths } = testSite({
      'docs/conf.py': `import sys\nsys.exit(1)\nwhile True: pass\nextensions = ["myst_parser"]\nexclude_patterns = ["b.md"]\n`,
      'docs/a.md': '',
      'docs/b.md': '',
    });
    expect(paths).toEqual({ 'docs/a.md': '/a' });
  });

  it.each([
    ['a constant that names itself', 'const a = [a, a];\nexport default { list: a };'],
    ['constants that name each other', 'const a = { b };\nconst b = { a };\nexport default a;'],
    ['a function that calls itself', 'function f() { return f(); }\nexport default f();'],
    [
      '2^60 values',
      `${Array.from({ length: 60 }, (_, n) => `const a${n + 1} = [a${n}, a${n}];`).join('\n')}\n` +
        'const a0 = 1;\nexport default a60;',
    ],
    [
      '2^60 characters',
      `${Array.from({ length: 60 }, (_, n) => `const s${n + 1} = s${n} + s${n};`).join('\n')}\n` +
        "const s0 = 'x'.repeat(9);\nexport default s60;",
    ],
    [
      '2^60 characters of a constant',
      `const s0 = 'xxxxxxxx';\n` +
        `${Array.from({ length: 60 }, (_, n) => `const s${n + 1} = s${n} + s${n};`).join('\n')}\n` +
        'export default s60;',
    ],
    [
      '2^60 members by spreads',
      `const o0 = { x: 1 };\n` +
        `${Array.from({ length: 60 }, (_, n) => `const o${n + 1} = [...[o${n}], ...[o${n}]];`).join('\n')}\n` +
        'export default o60;',
    ],
    ['deep nesting', `export default ${'['.repeat(20_000)}${']'.repeat(20_000)};`],
    ['a deep sum', `export default ${"'a' + ".repeat(20_000)}'a';`],
  ])('stays within a bound of work: %s', (_, text) => {
    const started = performance.now();
    expect(() => unknownParts(read({ 'config.ts': text }))).not.toThrow();
    expect(performance.now() - started).toBeLessThan(BOUND_MS);
  });

  it('ends where modules import each other', () => {
    const value = read({
      'config.ts': "import { b } from './b';\nexport const a = [b];\nexport default a;",
      'b.ts': "import { a } from './config';\nexport const b = [a];",
    });
    expect(unknownParts(value).length).toBeGreaterThan(0);
  });

  it('ends where modules export each other on', () => {
    expect(() =>
      read({ 'config.ts': "export * from './b';", 'b.ts': "export * from './config';" }),
    ).not.toThrow();
  });

  it('reads constants, spreads, templates, imports, requires and functions that return a value', () => {
    const value = read({
      'config.ts': `import data from './data.json';
import { make as build } from './make.js';
const base = '/x';
const config = { ...build('t'), base: \`\${base}/y\`, list: [...data.items, 'z'] } as const;
export default config satisfies object;`,
      'data.json': '{ "items": ["a", "b"] }',
      'make.ts': 'export const make = (title: string) => ({ title, base: 1 });',
    });
    expect(asString(at(value, 'title'))).toBe('t');
    expect(asString(at(value, 'base'))).toBe('/x/y');
    expect(itemsOf(at(value, 'list')).map(asString)).toEqual(['a', 'b', 'z']);
  });

  it('reads the environment as empty', () => {
    const value = read({ 'config.ts': "export default { base: process.env.BASE ?? '/' };" });
    expect(asString(at(value, 'base'))).toBe('/');
  });

  it('gives every value its place, so that it can be edited there', () => {
    const text = "export default {\n  title: 'x',\n  list: [1],\n};";
    const value = at(read({ 'config.ts': text }), 'list');
    expect(value).toMatchObject({ file: 'config.ts', line: 3 });
    expect(text.slice(value?.start, value?.end)).toBe('[1]');
    const json = '{ "list": [1] }';
    const inJson = at(read({ 'x.json': json }, 'x.json'), 'list');
    expect(json.slice(inJson?.start, inJson?.end)).toBe('[1]');
  });

  it('does not let __proto__ of a configuration change objects', () => {
    read({ 'config.ts': 'export default { __proto__: { polluted: true }, constructor: 1 };' });
    const { values } = pythonAssignments('x = {"__proto__": {"polluted": True}}');
    expect(values.has('x')).toBe(true);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('literals of Python', () => {
  it('reads strings, numbers, lists, tuples, dictionaries, and what is added to them', () => {
    const { values } = pythonAssignments(
      [
        'a = "x" \'y\'  # comment',
        'b = [1, 2.5, True, None,]',
        "b += ['more']",
        'c = ("only")',
        'd = ("one",)',
        'e = {"k": r"\\d", "computed": f(1, "}"), "l": """m',
        'n"""}',
      ].join('\n'),
    );
    expect(Object.fromEntries(values)).toEqual({
      a: 'xy',
      b: [1, 2.5, true, null, 'more'],
      c: 'only',
      d: ['one'],
      e: { k: '\\d', l: 'm\nn' },
    });
  });

  it('names what is computed', () => {
    const { values, computed } = pythonAssignments('a = f(1)\nb = [x for x in y]\nc = 1\n');
    expect([...computed]).toEqual(['a', 'b']);
    expect([...values.keys()]).toEqual(['c']);
  });

  it('stays within a bound of work: deep nesting and long lines', () => {
    const started = performance.now();
    pythonAssignments(`a = ${'['.repeat(100_000)}\n`);
    pythonAssignments(`a = "${'\\\\'.repeat(500_000)}\n`);
    pythonAssignments(`a = {${'"k": f('.repeat(50_000)}\n`);
    pythonAssignments('a = [\n'.repeat(20_000));
    expect(performance.now() - started).toBeLessThan(BOUND_MS);
  });
});
