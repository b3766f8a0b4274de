import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { COMMANDS } from '../../cli/commands/registry.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = 'docs/operate/cli.md';
/** Of Commander itself. */
const EVERYWHERE = ['--help', '--version'];

interface CommandHelp {
  /** As the page writes it: `job message <id> <prompt>`. */
  usage: string;
  path: string;
  options: string[];
}

interface Row {
  /** The first code of the row, without `docent` and options. */
  usage: string;
  flags: string[];
}

interface Section {
  title: string;
  rows: Row[];
  /** Options that sentences name: they are of several commands of the section. */
  flags: string[];
}

/** The commands that have no subcommands, as `--help` shows them. */
async function commands(): Promise<CommandHelp[]> {
  const program = new Command('docent');
  for (const [, load] of COMMANDS) (await load())(program, {});
  return program.commands.flatMap(command => leaves(command, ''));
}

function leaves(command: Command, parent: string): CommandHelp[] {
  const path = `${parent}${command.name()}`;
  if (command.commands.length > 0)
    return command.commands.flatMap(each => leaves(each, `${path} `));
  const words = command.registeredArguments.map(each =>
    each.required ? `<${each.name()}>` : `[${each.name()}]`,
  );
  const options = command.options.flatMap(({ long, hidden }) => (long && !hidden ? [long] : []));
  return [{ path, usage: [path, ...words].join(' '), options }];
}

function sections(page: string): Section[] {
  return page
    .split(/^## /m)
    .slice(1)
    .map(part => {
      const [title = '', ...lines] = part.split('\n');
      const rows = lines.flatMap(line => {
        const usage = /^\| `docent ([^`]+)`/.exec(line)?.[1];
        return usage ? [{ usage: usage.replace(/ --.*/, ''), flags: flagsIn(line) }] : [];
      });
      const sentences = lines.filter(line => !line.startsWith('|')).join('\n');
      return { title, rows, flags: flagsIn(sentences) };
    });
}

function flagsIn(text: string): string[] {
  return [...text.matchAll(/`[^`]+`/g)].flatMap(([code]) => code.match(/--[a-z][a-z-]*/g) ?? []);
}

/** What to change on the page, in sentences. */
function whatIsWrong(known: CommandHelp[], page: string): string[] {
  const all = sections(page);
  // Options of commands in several sections are named once, before the first.
  const general = flagsIn(page.split(/^## /m)[0] ?? '');
  return [
    ...known.flatMap(command => missing(command, all, general)),
    ...unknown(known, all),
    ...unknownFlags(known, general, 'Before the first section'),
  ];
}

function missing(
  { path, usage, options }: CommandHelp,
  all: Section[],
  general: string[],
): string[] {
  const section = all.find(({ rows }) => rows.some(row => row.usage === usage));
  if (!section)
    return [`Add a row for \`docent ${usage}\`, or write the row of \`docent ${path}\` like that.`];
  const rows = section.rows.filter(row => row.usage === usage);
  const named = [...general, ...section.flags, ...rows.flatMap(row => row.flags)];
  return options
    .filter(option => !named.includes(option))
    .map(option => `Under "${section.title}", name ${option} of \`docent ${path}\`.`);
}

function unknown(known: CommandHelp[], all: Section[]): string[] {
  return all.flatMap(({ title, rows, flags }) => {
    const here = known.filter(({ usage }) => rows.some(row => row.usage === usage));
    const wrongRows = rows.flatMap(row => {
      const command = here.find(({ usage }) => usage === row.usage);
      return command
        ? unknownFlags([command], row.flags, `In the row of \`docent ${command.path}\``)
        : [`\`docent ${row.usage}\` is not a command: correct or remove its row.`];
    });
    // Tables of other things, such as exit codes, name no options of their own.
    const wrongFlags = here.length > 0 ? unknownFlags(here, flags, `Under "${title}"`) : [];
    return [...wrongRows, ...wrongFlags];
  });
}

/** Flags that none of these commands has. */
function unknownFlags(of: CommandHelp[], flags: string[], place: string): string[] {
  return flags
    .filter(flag => ![...EVERYWHERE, ...of.flatMap(({ options }) => options)].includes(flag))
    .map(flag => `${place}, remove ${flag}: there is no such option.`);
}

/** Commands in the code of a page, each as its words. */
function callsIn(text: string): string[][] {
  const code = [...text.matchAll(/^```[^]*?^```|`[^`\n]+`/gm)].map(([found]) => found);
  return code
    .flatMap(each => each.replaceAll(/\\\n/g, ' ').split(/[\n`|;#]|&&/))
    .map(part => CALL.exec(part)?.[1])
    .filter(call => call !== undefined)
    .map(call => call.trim().split(/\s+/));
}

const CALL = /^\s*(?:[A-Z_]+=\S+ )*(?:docent|\S*bin\/docent\.mjs) ([a-z].*)/;

/** What is wrong with a call, in a sentence. */
function problemOf(known: CommandHelp[], words: string[]): string | undefined {
  const call = `docent ${words.join(' ')}`;
  const command = known.find(({ path }) => `${words.join(' ')} `.startsWith(`${path} `));
  if (!command) {
    const group = `${words.filter(word => !EVERYWHERE.includes(word)).join(' ')} `;
    const isGroup = known.some(({ path }) => path.startsWith(group));
    return isGroup ? undefined : `"${call}": there is no such command.`;
  }
  const wrong = words
    .map(word => /^--[a-z][a-z-]*/.exec(word)?.[0])
    .find(flag => flag && !EVERYWHERE.includes(flag) && !command.options.includes(flag));
  return wrong && `"${call}": \`docent ${command.path}\` has no option ${wrong}.`;
}

describe('the command line in the docs', () => {
  let known: CommandHelp[];
  let page: string;
  beforeAll(async () => {
    known = await commands();
    page = readFileSync(join(ROOT, PAGE), 'utf8');
  });

  it(`${PAGE} lists every command with its arguments and options, and no other`, () => {
    expect(known.length).toBeGreaterThan(30);
    expect(whatIsWrong(known, page)).toEqual([]);
  });

  it(`${PAGE} names every command in its description`, () => {
    const description = /^description: "(.+)"$/m.exec(page)?.[1] ?? '';
    const names = new Set<string>(description.match(/[a-z]+/g));
    expect(COMMANDS.map(([name]) => name).filter(name => !names.has(name))).toEqual([]);
  });

  it('other pages use only commands and options that exist', () => {
    const pages = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter(path => path.endsWith('.md'))
      .map(path => `docs/${path}`);
    const calls = [...pages, 'README.md', 'AGENTS.md'].flatMap(path =>
      callsIn(readFileSync(join(ROOT, path), 'utf8')).map(words => ({ path, words })),
    );
    expect(calls.length).toBeGreaterThan(50);
    const problems = calls.flatMap(({ path, words }) => {
      const problem = problemOf(known, words);
      return problem ? [`${path}: ${problem}`] : [];
    });
    expect(problems).toEqual([]);
  });

  it.each<[string, (text: string) => string, RegExp]>([
    [
      'a missing row',
      text => text.replace(/^\| `docent job diff .*\n/m, ''),
      /^Add a row for `docent job diff <id>`/,
    ],
    [
      'a wrong argument',
      text => text.replace('job diff <id>', 'job diff <job>'),
      /docent job diff <job>` is not a command/,
    ],
    [
      'a missing option',
      text => text.replace('`--idempotency-key`', ''),
      /name --idempotency-key of `docent job create`/,
    ],
    [
      'an unknown option',
      text => text.replace('`--exit`', '`--leave`'),
      /In the row of `docent demo`, remove --leave/,
    ],
  ])('%s is noticed', (_, change, problem) => {
    expect(whatIsWrong(known, change(page))).toContainEqual(expect.stringMatching(problem));
  });

  it.each([
    ['docent jobs list', /no such command/],
    ['docent job list --state active', /`docent job list` has no option --state/],
  ])('`%s` on a page is noticed', (call, problem) => {
    expect(callsIn(`\`${call}\``).map(words => problemOf(known, words))).toEqual([
      expect.stringMatching(problem),
    ]);
  });
});
