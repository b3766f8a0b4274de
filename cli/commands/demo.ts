import type { Command } from 'commander';
import { printBanner } from '../banner.ts';
import { readDemoEnv } from '../demo-env.ts';
import { CommandFailure } from '../failure.ts';
import { type Job, JobClient } from '../jobs.ts';
import { printProgress } from '../progress.ts';
import { findRunning, lockDataFolder } from '../running.ts';
import { type Env, localConfig } from '../settings.ts';
import { untilStopped } from '../signals.ts';
import { paint, print } from '../terminal.ts';

const INSTRUCTION = 'Add a page docs/faq.md titled "Frequently asked questions" with the text "Answers to what people ask first."';
const FOLLOW_UP = 'Add a section "Does it need an account?" to docs/faq.md with the text "No. Everything runs on your own machine."';

/** `docent demo`: one instruction and one follow-up to the sample project, from start to pull request. */
export function registerDemo(program: Command, env: Env): void {
  program.command('demo')
    .description('watch an instruction become a pull request on the sample project; starts docent if need be')
    .option('--exit', 'stop at the end instead of leaving the system running')
    .action(async (options: { exit?: boolean }) => {
      const config = localConfig(env);
      if (findRunning(config.DATA_DIR)) return await runDemo(config.DATA_DIR);
      const began = Date.now();
      const lock = await lockDataFolder(config.DATA_DIR);
      print('Starting Postgres, Temporal, API and worker …');
      const { startStack } = await import('../stack.ts');
      const stack = await startStack(config, lock, env['PATH'] ?? '', sentence => console.error(sentence));
      try {
        await Promise.race([runDemo(config.DATA_DIR), stack.failed.then(reason => { throw new CommandFailure(`Docent stopped: ${reason}.`); })]);
        if (options.exit) return;
        printBanner(stack, Date.now() - began);
        const reason = await untilStopped(stack.failed);
        if (reason) throw new CommandFailure(`Docent stopped: ${reason}.`);
      } finally {
        await stack.stop();
      }
    });
}

async function runDemo(dataDir: string): Promise<void> {
  const { BASE_URL, ADMIN_KEY, PROJECT_ID, TEMPORAL_UI_URL } = readDemoEnv(dataDir);
  if (!BASE_URL || !ADMIN_KEY || !PROJECT_ID) throw new CommandFailure(`There is no sample project in ${dataDir}: it was removed. Name a new folder in DATA_DIR.`);
  const client = new JobClient({ baseUrl: BASE_URL, key: ADMIN_KEY }, PROJECT_ID);

  const began = Date.now();
  const job = await client.create({ prompt: INSTRUCTION });
  print(paint('dim', `\n${job.id}, in Temporal: ${TEMPORAL_UI_URL}/namespaces/default/workflows/${job.id}\n`));
  const { lastSeq } = await printProgress(client.events(job.id));
  await showResult(client, await client.get(job.id), Date.now() - began);

  print(paint('bold', '\nA follow-up goes to the same branch and pull request.\n'));
  const again = Date.now();
  await client.message(job.id, FOLLOW_UP);
  await printProgress(client.events(job.id, lastSeq));
  await showResult(client, await client.get(job.id), Date.now() - again);
}

async function showResult(client: JobClient, job: Job, tookMs: number): Promise<void> {
  if (job.status !== 'completed' || !job.prLink) throw new CommandFailure(`The demo's job ended as "${job.status}" without a pull request; "docent job messages ${job.id}" says why.`);
  print(`\n${paint('bold', 'Pull request')} ${job.prLink} ${paint('dim', `(${(tookMs / 1000).toFixed(1)} s)`)}\n`);
  for (const line of (await client.diff(job.id)).trimEnd().split('\n')) print(coloured(line));
}

function coloured(line: string): string {
  if (line.startsWith('+')) return paint('green', line);
  if (line.startsWith('-')) return paint('red', line);
  return line.startsWith('@@') ? paint('cyan', line) : line;
}
