import { type Command, InvalidArgumentError, Option } from 'commander';
import { readDemoEnv } from '../stack/demo-env.ts';
import { CommandFailure, EXIT } from '../output/failure.ts';
import { parseBaseUrl } from '../client/http.ts';
import { type Job, JobClient, type NewJob } from '../client/job-client.ts';
import { printProgress } from '../output/job-progress.ts';
import { type Env, localConfig } from '../connect/settings.ts';
import { print, printTable } from '../output/terminal.ts';

interface Shared {
  baseUrl?: string;
  key?: string;
  project?: string;
  json?: boolean;
}
interface Waiting extends Shared {
  wait?: boolean;
}

/** `docent job …`: the agent endpoints from a terminal, over HTTP. */
export function registerJob(program: Command, env: Env): void {
  const job = program
    .command('job')
    .description('give instructions to the agent and follow its jobs');
  const add = (name: string, description: string) =>
    job
      .command(name)
      .description(description)
      .option('--base-url <url>', 'where the API answers (BASE_URL; default: the running docent)')
      .option('--key <key>', "admin API key (ADMIN_KEY; default: the sample's)")
      .option('--project <id>', "project id, prj_… (PROJECT_ID; default: the sample's)")
      .option('--json', 'print what the API answered');
  const wait = new Option('--wait', 'wait until the job rests; exit 1 where it failed');

  add('create <prompt>', 'start a job')
    .addOption(wait)
    .option('--branch <name>', 'the branch to work on')
    .option('--draft', 'open the pull request as a draft')
    .addOption(new Option('--model <name>').choices(['sonnet', 'opus']))
    .option('--idempotency-key <key>', 'makes a repeat of this command safe')
    .action(
      async (
        prompt: string,
        options: Waiting & {
          branch?: string;
          draft?: boolean;
          model?: 'sonnet' | 'opus';
          idempotencyKey?: string;
        },
      ) => {
        const client = clientFor(env, options);
        const request: NewJob = {
          prompt,
          ...(options.branch && { branch: options.branch }),
          ...(options.draft && { asDraft: true }),
          ...(options.model && { model: options.model }),
        };
        await conclude(client, await client.create(request, options.idempotencyKey), options);
      },
    );
  add('message <id> <prompt>', 'send a follow-up')
    .addOption(wait)
    .action(async (id: string, prompt: string, options: Waiting) => {
      const client = clientFor(env, options);
      await conclude(client, await client.message(id, prompt), options);
    });
  add('get <id>', 'show a job')
    .addOption(wait)
    .action(async (id: string, options: Waiting) => {
      const client = clientFor(env, options);
      await conclude(client, await client.get(id), options);
    });
  add('watch <id>', "show a job's progress as it happens").action(
    async (id: string, options: Shared) => {
      const client = clientFor(env, options);
      if (options.json)
        for await (const { event } of client.events(id)) print(JSON.stringify(event));
      else await printProgress(client.events(id));
      failIfFailed(await client.get(id));
    },
  );
  add('list', "list the project's jobs, newest first")
    .addOption(new Option('--status <status>').choices(['active', 'completed', 'failed']))
    .option('--limit <n>', 'how many', '20')
    .action(async (options: Shared & { status?: string; limit: string }) => {
      const answer = await clientFor(env, options).list({
        limit: Number(options.limit),
        ...(options.status && { status: options.status }),
      });
      if (options.json) print(JSON.stringify(answer, null, 2));
      else
        printTable(
          ['id', 'status', 'created', 'pull request'],
          answer.jobs.map(each => [each.id, each.status, each.createdAt, each.prLink ?? '']),
        );
    });
  add('messages <id>', 'print the conversation and the outcome of each turn, as JSON').action(
    async (id: string, options: Shared) => {
      print(JSON.stringify(await clientFor(env, options).messages(id), null, 2));
    },
  );
  add('diff <id>', 'print what the job changed so far').action(
    async (id: string, options: Shared) => {
      process.stdout.write(await clientFor(env, options).diff(id));
    },
  );
  add('cancel <id>', 'stop a job; its edits are kept, unpublished').action(
    async (id: string, options: Shared) => {
      show(await clientFor(env, options).cancel(id), options);
    },
  );
  add('rewind <id>', 'take a job back to an earlier step; what it was told since is left out')
    .addOption(wait)
    .requiredOption('--step <n>', 'the step to make again', wholeNumber)
    .option('--turn <n>', 'the turn that the step belongs to (default: the newest)', wholeNumber)
    .action(async (id: string, options: Waiting & { step: number; turn?: number }) => {
      const client = clientFor(env, options);
      await conclude(client, await client.rewind(id, options.step, options.turn), options);
    });
  add('archive <id>', 'close a resting job for good').action(
    async (id: string, options: Shared) => {
      show(await clientFor(env, options).archive(id), options);
    },
  );
}

function wholeNumber(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError('Takes a whole number from 1.');
  return Number(value);
}

/** By flag, environment, or the demo.env of the data folder, in this order. */
function clientFor(env: Env, options: Shared): JobClient {
  const demo = readDemoEnv(localConfig(env).DATA_DIR);
  const [baseUrl, from] = options.baseUrl
    ? [options.baseUrl, '--base-url']
    : env['BASE_URL']
      ? [env['BASE_URL'], 'BASE_URL']
      : [demo.BASE_URL, 'demo.env'];
  const key = options.key ?? env['ADMIN_KEY'] ?? demo.ADMIN_KEY;
  const project = options.project ?? env['PROJECT_ID'] ?? demo.PROJECT_ID;
  if (!baseUrl || !key || !project) {
    const missing = [
      !baseUrl && '--base-url (BASE_URL)',
      !key && '--key (ADMIN_KEY)',
      !project && '--project (PROJECT_ID)',
    ].filter(Boolean);
    throw new CommandFailure(
      `Missing: ${missing.join(', ')}. Give it, or run "docent start" in this folder first.`,
      EXIT.usage,
    );
  }
  // A key of the agent endpoints lists no projects: only the id leads to one.
  if (!project.startsWith('prj_'))
    throw new CommandFailure(
      `--project (PROJECT_ID) takes a project's id, prj_…, not "${project}"; "docent project list" shows it.`,
      EXIT.usage,
    );
  return new JobClient({ baseUrl: parseBaseUrl(baseUrl, from), key, from }, project);
}

async function conclude(client: JobClient, job: Job, options: Waiting): Promise<void> {
  const final = options.wait && job.status === 'active' ? await client.rest(job.id) : job;
  show(final, options);
  if (options.wait) failIfFailed(final);
}

function show(job: Job, options: Shared): void {
  if (options.json) return print(JSON.stringify(job, null, 2));
  print(
    `${job.id}  ${job.status}${job.archivedAt ? ' (archived)' : ''}${job.prLink ? `  ${job.prLink}` : ''}`,
  );
}

function failIfFailed(job: Job): void {
  if (job.status === 'failed')
    throw new CommandFailure(
      `${job.id} failed; "docent job messages ${job.id}" says why.`,
      EXIT.failed,
    );
}
