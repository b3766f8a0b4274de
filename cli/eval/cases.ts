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
  const lines = (await readFile(file, 'utf8')).split('\n').filter(line => line.trim() !== '');
  const cases: EvalCase[] = [];
  for (const [i, line] of lines.entries()) {
    const { id, prompt } = parseLine(line, `${file}:${i + 1}`);
    if (cases.some(other => other.id === id)) throw wrong(`${file}:${i + 1}: ${id} occurs twice.`);
    const before = await readTree(join(folder, 'files', id, 'before'));
    const after = await readTree(join(folder, 'files', id, 'after'));
    if (Object.keys(before).length === 0) throw wrong(`files/${id}/before has no files.`);
    cases.push({ id, prompt, before, after });
  }
  if (cases.length === 0) throw wrong(`${file} has no cases.`);
  return cases;
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
