import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { MAX_PROMPT } from '../../shared/jobs/job.ts';
import { CommandFailure, EXIT } from '../../cli/output/failure.ts';
import { readCommit, readTree } from './text-tree.ts';

/** A commit, branch or tag; never an option of git. */
export const Commit = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._/~^-]*$', maxLength: 200 });

/** A line of `cases.jsonl`; other members are left to the reader. */
const CaseLine = Type.Object({
  id: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,60}$' }),
  prompt: Type.String({ minLength: 1, maxLength: MAX_PROMPT }),
  /** Without it, `docs` if every path is in there, else the root. */
  docsFolder: Type.Optional(Type.String()),
  /** A checkout and two of its commits, instead of trees in `files`. */
  repository: Type.Optional(Type.String({ minLength: 1 })),
  base: Type.Optional(Commit),
  reference: Type.Optional(Commit),
});

/** An instruction, the repository that it is for, and the change that people made. */
export interface EvalCase {
  id: string;
  prompt: string;
  docsFolder?: string;
  before: Record<string, string>;
  after: Record<string, string>;
}

/**
 * Reads a folder of cases: `cases.jsonl`, and for each id the trees `files/ID/before` and
 * `files/ID/after`, or the two commits that its line names. Throws `CommandFailure` if it is not one.
 */
export async function readCases(folder: string): Promise<EvalCase[]> {
  const file = join(folder, 'cases.jsonl');
  if (!existsSync(file)) throw wrong(`${file} does not exist.`);
  const cases: EvalCase[] = [];
  for (const line of await readLines(file)) {
    const { id } = line;
    if (cases.some(other => other.id === id)) throw wrong(`${file}: ${id} occurs twice.`);
    const { prompt, docsFolder } = line;
    const trees = await readTrees(folder, line);
    cases.push({ id, prompt, ...(docsFolder !== undefined && { docsFolder }), ...trees });
  }
  if (cases.length === 0) throw wrong(`${file} has no cases.`);
  return cases;
}

async function readTrees(
  folder: string,
  { id, docsFolder, repository, base, reference }: Static<typeof CaseLine>,
): Promise<Pick<EvalCase, 'before' | 'after'>> {
  if (repository === undefined) {
    const [before, after] = await Promise.all(
      ['before', 'after'].map(name => readTree(join(folder, 'files', id, name))),
    );
    if (!before || Object.keys(before).length === 0)
      throw wrong(`files/${id}/before has no files.`);
    return { before, after: after ?? {} };
  }
  if (base === undefined || reference === undefined)
    throw wrong(`${id} needs base and reference, two commits of its repository.`);
  const checkout = resolve(folder, repository);
  const read = (commit: string) =>
    readCommit(checkout, commit).catch(() => {
      throw wrong(`${id}: git cannot read the commit ${commit} of ${checkout}.`);
    });
  const before = await read(base);
  return { before, after: inFolder(docsFolder, before, await read(reference)) };
}

/** A change of the folder alone: a commit may contain code, too, which no job may write. */
function inFolder(
  folder: string | undefined,
  before: Record<string, string>,
  after: Record<string, string>,
): Record<string, string> {
  if (!folder) return after;
  const isInside = ([path]: [string, string]) => path.startsWith(`${folder}/`);
  return Object.fromEntries([
    ...Object.entries(before).filter(file => !isInside(file)),
    ...Object.entries(after).filter(isInside),
  ]);
}

/** The ids in a `cases.jsonl`. */
export async function readCaseIds(file: string): Promise<string[]> {
  return (await readLines(file)).map(line => line.id);
}

async function readLines(file: string): Promise<Static<typeof CaseLine>[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter(line => line.trim() !== '');
  return lines.map((line, i) => parseLine(line, `${file}:${i + 1}`));
}

function parseLine(line: string, place: string): Static<typeof CaseLine> {
  try {
    const value: unknown = JSON.parse(line);
    Value.Assert(CaseLine, value);
    return value;
  } catch {
    throw wrong(`${place} must be JSON with id and prompt.`);
  }
}

function wrong(sentence: string): CommandFailure {
  return new CommandFailure(sentence, EXIT.usage);
}
