import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type ClientOptions, jobClient, withClientOptions } from '../client/open-client.ts';
import { CommandFailure, EXIT } from '../output/failure.ts';
import type {
  CreateJob,
  Job,
  JobResult,
  Jobs,
  JobStatus,
} from '../../clients/typescript/docent.ts';
import { progressOf } from '../client/job-client.ts';
import { printProgress } from '../output/job-progress.ts';
import { RESULTS } from '../../shared/jobs/result.ts';
import { type Effort, EFFORTS } from '../../shared/models/thinking.ts';
import type { Env } from '../connect/settings.ts';
import { print, printTable } from '../output/terminal.ts';

interface Waiting extends ClientOptions {
  wait?: boolean;
}

const WAIT = new Option(
  '--wait',
  'wait until the job is idle and say what came of it; exit with 1 if nothing was published ' +
    'because it failed, was cancelled or the policy refused its edits',
);

type Add = (name: string, description: string) => Command;

/** `docent job …`: the agent endpoints on the command line, over HTTP. */
export function registerJob(program: Command, env: Env): void {
  const job = program
    .command('job')
    .description('send instructions to the agent and follow its jobs');
  const add: Add = (name, description) =>
    withClientOptions(job.command(name).description(description));
  registerCreate(add, env);
  registerConversation(add, env);
  registerAnswers(add, env);
  registerList(add, env);
  registerOutput(add, env);
  registerEndings(add, env);
}

function registerCreate(add: Add, env: Env): void {
  interface CreateOptions extends Waiting {
    branch?: string;
    draft?: boolean;
    model?: 'sonnet' | 'opus';
    effort?: Effort;
    idempotencyKey?: string;
    image?: string[];
    planFirst?: boolean;
    budget?: number;
  }
  add('create <prompt>', 'start a job')
    .addOption(WAIT)
    .option('--branch <name>', 'the branch to work on')
    .option('--draft', 'open the pull request as a draft')
    .addOption(new Option('--model <name>').choices(['sonnet', 'opus']))
    .addOption(new Option('--effort <effort>', 'how much the model may think').choices(EFFORTS))
    .option('--plan-first', 'wait for approval of a plan before anything is changed')
    .option('--budget <usd>', 'what the job may spend on the model before it waits', dollars)
    .option('--image <file...>', 'attach images for the agent to see and use')
    .option('--idempotency-key <key>', 'make it safe to repeat this command', printable)
    .action(async (prompt: string, options: CreateOptions) => {
      const client = jobClient(env, options);
      const uploads = await uploadImages(client, options.image);
      const request: CreateJob = {
        prompt,
        ...(uploads.length > 0 && { uploads }),
        ...(options.branch && { branch: options.branch }),
        ...(options.draft && { asDraft: true }),
        ...(options.model && { model: options.model }),
        ...(options.effort && { effort: options.effort }),
        ...(options.planFirst && { requirePlanApproval: true }),
        ...(options.budget !== undefined && { budget: options.budget }),
      };
      await conclude(client, await client.create(request, options), options);
    });
}

function registerConversation(add: Add, env: Env): void {
  add('message <id> <prompt>', 'send a follow-up')
    .addOption(WAIT)
    .option('--image <file...>', 'attach images for the agent to see and use')
    .action(async (id: string, prompt: string, options: Waiting & { image?: string[] }) => {
      const client = jobClient(env, options);
      const uploads = await uploadImages(client, options.image);
      const message = { prompt, ...(uploads.length > 0 && { uploads }) };
      await conclude(client, await client.message(id, message), options);
    });
  add('get <id>', 'show a job')
    .addOption(WAIT)
    .action(async (id: string, options: Waiting) => {
      const client = jobClient(env, options);
      await conclude(client, await client.get(id), options);
    });
  add('rewind <id>', 'take a job back to an earlier step; later follow-ups are left out')
    .addOption(WAIT)
    .requiredOption('--step <n>', 'the step to repeat', wholeNumber)
    .option('--turn <n>', 'the turn that contains the step (default: the newest)', wholeNumber)
    .action(async (id: string, options: Waiting & { step: number; turn?: number }) => {
      const client = jobClient(env, options);
      const { step, turn = null } = options;
      await conclude(client, await client.rewind(id, { step, turn }), options);
    });
}

/** A question is answered by `message`. */
function registerAnswers(add: Add, env: Env): void {
  for (const verb of ['approve', 'decline'] as const) {
    add(`${verb} <id>`, `${verb} what a job waits for, such as its plan`)
      .addOption(WAIT)
      .option('--turn <n>', 'only what this turn asked (default: whatever waits)', wholeNumber)
      .action(async (id: string, options: Waiting & { turn?: number }) => {
        const client = jobClient(env, options);
        await conclude(client, await client[verb](id, { turn: options.turn }), options);
      });
  }
  add('budget <id> <usd>', 'change what a job may spend; one that waits for it continues')
    .addOption(WAIT)
    .action(async (id: string, usd: string, options: Waiting) => {
      const client = jobClient(env, options);
      await conclude(client, await client.setBudget(id, dollars(usd)), options);
    });
}

interface ListOptions extends ClientOptions {
  status?: JobStatus;
  outcome?: JobResult;
  limit: string;
}

function registerList(add: Add, env: Env): void {
  add('list', "list the project's jobs, newest first")
    .addOption(new Option('--status <status>').choices(['active', 'completed', 'failed']))
    .addOption(new Option('--outcome <outcome>', 'what came of them').choices(RESULTS))
    .option('--limit <n>', 'maximum number of jobs', '20')
    .action(async (options: ListOptions) => {
      const { status, outcome } = options;
      const answer = await jobClient(env, options).list({
        ...{ limit: Number(options.limit), status, outcome },
      });
      if (options.json) print(JSON.stringify(answer, null, 2));
      else
        printTable(
          ['id', 'status', 'outcome', 'created', 'pull request'],
          answer.jobs.map(each => [
            each.id,
            each.status,
            each.failureCode ? `${each.outcome}: ${each.failureCode}` : (each.outcome ?? ''),
            each.createdAt,
            each.prLink ?? '',
          ]),
        );
    });
}

function registerOutput(add: Add, env: Env): void {
  add('watch <id>', 'print progress as it happens').action(
    async (id: string, options: ClientOptions) => {
      const client = jobClient(env, options);
      await client.get(id); // a wrong address or key is reported at once
      if (options.json)
        for await (const { event } of progressOf(client, id)) print(JSON.stringify(event));
      else await printProgress(progressOf(client, id));
      failIfFailed(await client.get(id));
    },
  );
  add('messages <id>', 'print the conversation and the outcome of each turn, as JSON').action(
    async (id: string, options: ClientOptions) => {
      print(JSON.stringify(await jobClient(env, options).messages(id), null, 2));
    },
  );
  add('diff <id>', "print the job's changes so far").action(
    async (id: string, options: ClientOptions) => {
      process.stdout.write(await jobClient(env, options).diff(id));
    },
  );
}

function registerEndings(add: Add, env: Env): void {
  add('cancel <id>', 'stop a job and keep its edits, unpublished').action(
    async (id: string, options: ClientOptions) => {
      show(await jobClient(env, options).cancel(id), options);
    },
  );
  add('archive <id>', 'close an idle job permanently').action(
    async (id: string, options: ClientOptions) => {
      show(await jobClient(env, options).archive(id), options);
    },
  );
}

function wholeNumber(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value))
    throw new InvalidArgumentError('It must be a whole number from 1.');
  return Number(value);
}

function printable(value: string): string {
  if (!/^[!-~]{1,255}$/.test(value))
    throw new InvalidArgumentError(
      'It must be 1 to 255 printable ASCII characters without spaces.',
    );
  return value;
}

function dollars(value: string): number {
  if (!/^\d{1,7}(?:\.\d{1,2})?$/.test(value) || Number(value) === 0)
    throw new InvalidArgumentError('It must be an amount in US dollars, such as 2.50.');
  return Number(value);
}

async function uploadImages(client: Jobs, files: string[] = []): Promise<string[]> {
  const ids: string[] = [];
  for (const file of files) {
    const bytes = await readFile(file).catch((error: Error) => {
      throw new CommandFailure(`${file} cannot be read: ${error.message}`);
    });
    const data = bytes.toString('base64');
    ids.push((await client.upload({ name: basename(file), data })).id);
  }
  return ids;
}

async function conclude(client: Jobs, job: Job, options: Waiting): Promise<void> {
  const final = options.wait && job.status === 'active' ? await client.wait(job.id) : job;
  if (!options.wait) return show(final, options);
  const { outcome } = await client.messages(job.id);
  show({ ...final, outcome }, options);
  if (outcome && !options.json) {
    const { result, sentence, code } = outcome;
    print(`${result}${code ? ` (${code})` : ''}: ${sentence}`);
  }
  if (outcome?.result === 'declined')
    throw new CommandFailure(`The policy refused the edits of ${job.id}.`, EXIT.failed);
  failIfFailed(final);
}

function show(job: Job & { outcome?: object | null }, options: ClientOptions): void {
  if (options.json) return print(JSON.stringify(job, null, 2));
  print(
    `${job.id}  ${job.status}${job.archivedAt ? ' (archived)' : ''}` +
      (job.waitingFor ? `, waiting for ${job.waitingFor}` : '') +
      (job.prLink ? `  ${job.prLink}` : '') +
      (job.previewUrl ? `\n  preview ${job.previewUrl}` : ''),
  );
}

function failIfFailed(job: Job): void {
  if (job.status === 'failed')
    throw new CommandFailure(
      `${job.id} failed. Run "docent job messages ${job.id}" to see why.`,
      EXIT.failed,
    );
}
