import { existsSync } from 'node:fs';
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../../shared/config.ts';
import { readChangedFiles } from '../../db/jobs/conversation.ts';
import { listInstructions } from '../../db/jobs/instructions.ts';
import type { Job } from '../../db/jobs/job.ts';
import { jobById } from '../../db/jobs/jobs.ts';
import { firstBaseCommit } from '../../db/jobs/workspace-revisions.ts';
import type { Pool } from '../../db/pool.ts';
import { findProject } from '../../db/projects/projects.ts';
import { MAX_PROMPT } from '../../shared/jobs/job.ts';
import type { Snapshot } from '../../shared/workspace.ts';
import { openRepositoryHosts } from '../../cli/connect/repository-hosts.ts';
import { CommandFailure, EXIT } from '../../cli/output/failure.ts';
import { readCaseIds } from './cases.ts';
import { isText, MAX_FILE_BYTES } from './text-tree.ts';

/**
 * Adds completed jobs to a folder of cases: the repository as the job first saw it, what people
 * asked for, and the files as the job left them. A job that the folder already has is skipped.
 */
export async function addPastJobs(
  pool: Pool,
  config: Config,
  folder: string,
  jobIds: readonly string[],
): Promise<void> {
  const file = join(folder, 'cases.jsonl');
  const known = existsSync(file) ? await readCaseIds(file) : [];
  const hostFor = openRepositoryHosts({ config, pool });
  for (const id of new Set(jobIds)) {
    if (known.includes(id)) continue;
    const { job, baseCommit, prompt, docsFolder } = await readPastJob(pool, id);
    const snapshot = await hostFor(job).snapshot(job, baseCommit, AbortSignal.timeout(600_000));
    const before = await textFiles(snapshot);
    const after = new Map(before);
    for (const { path, after: bytes } of await readChangedFiles(pool, job.workspaceHead))
      if (bytes === null) after.delete(path);
      else if (isText(bytes) && isOrdinary(path)) after.set(path, bytes);
    await writeTree(join(folder, 'files', id, 'before'), before);
    await writeTree(join(folder, 'files', id, 'after'), after);
    // Last, so that a kill leaves no case without its files.
    await appendFile(file, `${JSON.stringify({ id, prompt, docsFolder })}\n`);
  }
}

async function readPastJob(
  pool: Pool,
  id: string,
): Promise<{ job: Job; baseCommit: string; prompt: string; docsFolder: string }> {
  const job = await jobById(pool, id);
  if (!job) throw refused(`There is no job ${id}.`);
  if (job.state !== 'completed') throw refused(`Job ${id} is not completed.`);
  const [baseCommit, instructions, project] = await Promise.all([
    firstBaseCommit(pool, job.workspaceHead),
    listInstructions(pool, id),
    findProject(pool, job.projectId),
  ]);
  if (baseCommit === undefined || !project) throw refused(`Job ${id} has no edits.`);
  const prompt = instructions
    .filter(({ role, state }) => role === 'user' && state === 'taken')
    .map(instruction => instruction.prompt)
    .join('\n\n');
  if (prompt === '' || prompt.length > MAX_PROMPT)
    throw refused(`The instructions of job ${id} are too long for one case, or there are none.`);
  return { job, baseCommit, prompt, docsFolder: project.docsFolder };
}

async function textFiles(snapshot: Snapshot): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const [path, { mode, size }] of snapshot.entries) {
    if (!mode.startsWith('100') || size > MAX_FILE_BYTES || !isOrdinary(path)) continue;
    const bytes = await snapshot.read(path);
    if (bytes && isText(bytes)) files.set(path, bytes);
  }
  return files;
}

/** A repository may contain any name; only those that stay in the folder are written. */
function isOrdinary(path: string): boolean {
  return path
    .split('/')
    .every(part => part !== '' && part !== '.' && part !== '..' && part.toLowerCase() !== '.git');
}

async function writeTree(folder: string, files: ReadonlyMap<string, Buffer>): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const [path, bytes] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
}

function refused(sentence: string): CommandFailure {
  return new CommandFailure(sentence, EXIT.usage);
}
