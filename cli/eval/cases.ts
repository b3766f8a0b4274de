import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { MAX_PROMPT } from '../../shared/jobs/job.ts';
import { CommandFailure, EXIT } from '../output/failure.ts';

/** A line of `cases.jsonl`; other members are left to the reader. */
const CaseLine = Type.Object({
  id: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,60}$' }),
  prompt: Type.String({ minLength: 1, maxLength: MAX_PROMPT }),
  /** Without it, `docs` if every path is in there, else the root. */
  docsFolder: Type.Optional(Type.String()),
});

/** An instruction, the repository that it is for, and the change that people made. */
export interface EvalCase extends Static<typeof CaseLine> {
  before: Record<string, string>;
  after: Record<string, string>;
}

/**
 * Reads a folder of cases: `cases.jsonl`, and for each id the trees `files/ID/before` and
 * `files/ID/after`. Throws `CommandFailure` if it is not one.
 */
export async function readCases(folder: string): Promise<EvalCase[]> {
  const file = join(folder, 'cases.jsonl');
  if (!existsSync(file)) throw wrong(`${file} does not exist.`);
  const cases: EvalCase[] = [];
  for (const line of await readLines(file)) {
    const { id } = line;
    if (cases.some(other => other.id === id)) throw wrong(`${file}: ${id} occurs twice.`);
    const before = await readTree(join(folder, 'files', id, 'before'));
    const after = await readTree(join(folder, 'files', id, 'after'));
    if (Object.keys(before).length === 0) throw wrong(`files/${id}/before has no files.`);
    cases.push({ ...line, before, after });
  }
  if (cases.length === 0) throw wrong(`${file} has no cases.`);
  return cases;
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
    const { id, prompt, docsFolder } = value;
    return { id, prompt, ...(docsFolder !== undefined && { docsFolder }) };
  } catch {
    throw wrong(`${place} must be JSON with id and prompt.`);
  }
}

async function readTree(folder: string): Promise<Record<string, string>> {
  if (!existsSync(folder)) return {};
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name));
  const texts = await Promise.all(files.map(path => readFile(path, 'utf8')));
  return Object.fromEntries(
    files.map((path, i) => [relative(folder, path).replaceAll(sep, '/'), texts[i] ?? '']),
  );
}

function wrong(sentence: string): CommandFailure {
  return new CommandFailure(sentence, EXIT.usage);
}
