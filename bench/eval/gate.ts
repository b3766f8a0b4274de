import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { Client } from '@temporalio/client';
import { Command } from 'commander';
import { pathsIn } from '../../automations/changed-files.ts';
import { askGate, type GateDeps } from '../../automations/gate.ts';
import type { ChangedFiles } from '../../automations/quote.ts';
import { type ConnectedConfig, type Env, withDatabase } from '../../cli/connect/settings.ts';
import { openTemporal } from '../../cli/connect/temporal.ts';
import { CommandFailure, EXIT } from '../../cli/output/failure.ts';
import { print, printTable } from '../../cli/output/terminal.ts';
import { runProgram } from '../../cli/run-program.ts';
import { git } from '../../hosts/git/git-command.ts';
import { requestIndex } from '../../search/indexing/index-requests.ts';
import { search } from '../../search/search-by-words.ts';
import type { Change, Definition } from '../../shared/jobs/automation.ts';
import { openModelClient } from '../../shared/models/model-client.ts';
import { Commit } from './cases.ts';
import { evaluationsId } from './evaluate.ts';
import { projectWith } from './run-case.ts';
import { readCommit } from './text-tree.ts';

/** A line of the file: a merged change, and where the docs are that it may concern. */
const ChangeLine = Type.Object({
  id: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,60}$' }),
  /** A checkout on this machine, relative to the file. */
  repository: Type.String({ minLength: 1 }),
  commit: Commit,
  /** The folder of the docs in the docs repository; empty: all of `docs`. */
  docsFolder: Type.String(),
  /** Docs of another repository as they were; without it, those beside the code. */
  docs: Type.Optional(
    Type.Object({
      repository: Type.String({ minLength: 1 }),
      base: Commit,
      /** What people made of it; without it, nothing. */
      reference: Type.Optional(Commit),
    }),
  ),
});
type ChangeLine = Static<typeof ChangeLine>;

interface Judgement {
  id: string;
  title: string;
  /** Files of the docs that people changed for it. */
  people: string[];
  needed: boolean;
  reason: string;
  /** Of the files that people changed, those whose pages the gate was given. */
  given: string[];
  named: string[];
}

const INSTRUCTION = 'Update the documentation for the change.';
const MARKDOWN = /\.(?:mdx?|markdown)$/i;

/** `npm run eval:gate`: whether a model sees which merged changes need other docs. */
function gateProgram(env: Env): Command {
  return new Command('eval:gate')
    .argument('<changes>', 'a file with a merged change per line')
    .showHelpAfterError('(see --help for the options)')
    .description('ask the gate of automations about past merges, and compare with what people did')
    .option('--instruction <text>', 'what the automation’s file says', INSTRUCTION)
    .option('--json', 'print the judgements as JSON')
    .action(async (file: string, options: { instruction: string; json?: boolean }) => {
      const lines = await readChanges(file);
      await withDatabase(env, async (pool, config) => {
        const temporal = await openTemporal(config);
        try {
          const deps: GateDeps = {
            ...{ pool, config, anthropic: await openModelClient(config) },
            search: request => search(pool, request),
          };
          const organizationId = await evaluationsId(pool);
          const at = { config, temporal: temporal.client, organizationId, folder: dirname(file) };
          const judged: Judgement[] = [];
          for (const line of lines) judged.push(await judge(deps, at, line, options.instruction));
          if (options.json) print(JSON.stringify(judged, null, 2));
          else printJudgements(judged);
        } finally {
          await temporal.close();
        }
      });
    });
}

async function readChanges(file: string): Promise<ChangeLine[]> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new CommandFailure(`${file} cannot be read.`, EXIT.usage);
  });
  const lines = text.split('\n').filter(line => line.trim() !== '');
  return lines.map((line, i) => {
    try {
      const value: unknown = JSON.parse(line);
      Value.Assert(ChangeLine, value);
      if (value.docsFolder !== '' || value.docs) return value;
      throw new Error('no change is left without the docs');
    } catch {
      throw new CommandFailure(
        `${file}:${i + 1} must be JSON with id, repository, commit and docsFolder, ` +
          'which is empty only beside docs.',
        EXIT.usage,
      );
    }
  });
}

interface Place {
  config: ConnectedConfig;
  temporal: Client;
  organizationId: string;
  folder: string;
}

async function judge(
  deps: GateDeps,
  at: Place,
  line: ChangeLine,
  instruction: string,
): Promise<Judgement> {
  const { change, files } = await readChange(at.folder, line);
  const { before, people } = await readDocs(at.folder, line);
  const name = createHash('sha256')
    .update(JSON.stringify([line, before]))
    .digest('hex');
  const project = await projectWith(
    { pool: deps.pool, config: at.config, organizationId: at.organizationId },
    { domain: `gate-${name.slice(0, 20)}`, name: `Gate: ${line.id}`, docsFolder: line.docsFolder },
    before,
  );
  await (await requestIndex(at.temporal, at.config.TASK_QUEUE, project)).result();
  const definition: Definition = {
    ...{ name: 'Gate', trigger: { kind: 'merge', ...change }, context: [], paths: [] },
    ...{ draft: true, labels: [], instruction },
  };
  const asked = { project, definition, change, files, jobId: `eval_${line.id}` };
  const attempt = { runId: line.id, activityId: 'gate', attempt: 1 };
  const signal = AbortSignal.timeout(300_000);
  const verdict = await askGate(deps, asked, { signal, ...attempt });
  const slugs = new Set(verdict.given.map(slugOf));
  return {
    ...{ id: line.id, title: change.title, people },
    ...{ needed: verdict.needed, reason: verdict.reason, named: verdict.pages },
    given: people.filter(path => slugs.has(slugOf(path.slice(line.docsFolder.length)))),
  };
}

/** The change without its docs, which the gate must not see. */
async function readChange(
  folder: string,
  { repository, commit, docsFolder, docs }: ChangeLine,
): Promise<{ change: Change; files: ChangedFiles }> {
  const at = ['-C', resolve(folder, repository)];
  const read = (args: string[]) =>
    git([...at, ...args]).catch(() => {
      throw new CommandFailure(`git cannot read ${commit} of ${repository}.`, EXIT.usage);
    });
  const log = await read(['log', '-1', '--format=%H%x00%an%x00%aI%x00%s%x00%b', commit, '--']);
  const [id = '', author = '', date = '', title = '', body = ''] = log.split('\0');
  const without = docs ? [] : [`:(exclude)${docsFolder}`];
  const diff = await read(['diff', '--no-color', `${id}~1`, id, '--', '.', ...without]);
  if (diff === '')
    throw new CommandFailure(`${commit} of ${repository} changes the docs alone.`, EXIT.usage);
  return {
    change: {
      ...{ host: 'local', repository: 'code', branch: 'main', number: null, url: null },
      ...{ commit: id, from: `${id}~1`, title, body, author, labels: [], at: date },
    },
    files: { paths: pathsIn(diff), diff, isCut: false },
  };
}

async function readDocs(
  folder: string,
  { id, repository, commit, docsFolder, docs }: ChangeLine,
): Promise<{ before: Record<string, string>; people: string[] }> {
  const at = resolve(folder, docs?.repository ?? repository);
  const isPage = (path: string) =>
    MARKDOWN.test(path) && (docsFolder === '' || path.startsWith(`${docsFolder}/`));
  const read = async (name: string) => {
    const tree = await readCommit(at, name).catch(() => {
      throw new CommandFailure(`${id}: git cannot read ${name} of ${at}.`, EXIT.usage);
    });
    return Object.fromEntries(Object.entries(tree).filter(([path]) => isPage(path)));
  };
  const before = await read(docs?.base ?? `${commit}~1`);
  const reference = docs ? docs.reference : commit;
  const after = reference === undefined ? before : await read(reference);
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  return { before, people: [...paths].filter(path => before[path] !== after[path]) };
}

/** A file and its page have the same one, as far as no configuration says otherwise. */
function slugOf(path: string): string {
  return path
    .toLowerCase()
    .replace(MARKDOWN, '')
    .replace(/\/(?:index|readme)$/, '')
    .replaceAll(/^\/+|\/+$/g, '');
}

function printJudgements(judged: readonly Judgement[]): void {
  const yes = (is: boolean) => (is ? 'yes' : 'no');
  printTable(
    ['change', 'people', 'gate', 'pages given', 'title', 'reason'],
    judged.map(({ id, title, people, needed, reason, given }) => [
      ...[id, yes(people.length > 0), yes(needed), `${given.length} of ${people.length}`],
      ...[title.slice(0, 60), reason.slice(0, 80)],
    ]),
  );
  const count = (people: boolean, gate: boolean) =>
    judged.filter(one => one.people.length > 0 === people && one.needed === gate).length;
  const [right, vain, missed] = [count(true, true), count(false, true), count(true, false)];
  const sum = (of: (one: Judgement) => number) => judged.reduce((all, one) => all + of(one), 0);
  print(
    `\nNeeded and seen: ${right}. Looked in vain: ${vain}. Missed: ${missed}. ` +
      `Neither: ${count(false, false)}.\n` +
      `Precision ${share(right, right + vain)}, recall ${share(right, right + missed)}. ` +
      `Pages that people changed and the gate was given: ` +
      `${sum(one => one.given.length)} of ${sum(one => one.people.length)}.`,
  );
}

function share(part: number, all: number): string {
  return all === 0 ? '–' : (part / all).toFixed(2);
}

await runProgram(gateProgram(process.env));
