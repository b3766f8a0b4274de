import type { Command } from 'commander';
import { unknownSettings } from '../../shared/unknown-settings.ts';
import { repositoryFolder } from '../../hosts/local/context.ts';
import { git } from '../../hosts/git/git-command.ts';
import { printBanner } from '../output/banner.ts';
import { readDemoEnv } from '../stack/demo-env.ts';
import { CommandFailure } from '../output/failure.ts';
import type { Job, Jobs } from '../../clients/typescript/docent.ts';
import { openJobs, progressOf } from '../client/job-client.ts';
import { printProgress } from '../output/job-progress.ts';
import { findRunning, lockDataFolder } from '../stack/running.ts';
import { SAMPLE } from '../stack/sample-project.ts';
import { type Env, localConfig } from '../connect/settings.ts';
import { endStart, sayWhatStops, unlessStopped, untilStopped } from '../stack/stop-signals.ts';
import { paint, print } from '../output/terminal.ts';

const instruction = (path: string) =>
  `Add a page ${path} titled "Frequently asked questions" ` +
  'with the text "Answers to what people ask first."';
const followUp = (path: string) =>
  `Add a section "Does it need an account?" to ${path} ` +
  'with the text "No. Everything runs on your own machine."';

/**
 * `docent demo`: one instruction and one follow-up to the sample project, from start to pull
 * request.
 */
export function registerDemo(program: Command, env: Env): void {
  program
    .command('demo')
    .description(
      'watch an instruction become a pull request on the sample project; starts docent if needed',
    )
    .option('--exit', 'stop at the end instead of leaving the system running')
    .action(async (options: { exit?: boolean }) => {
      const config = localConfig(env);
      if (findRunning(config.DATA_DIR)) return failFor(await runDemo(config.DATA_DIR));
      const stopped = untilStopped();
      const began = Date.now();
      for (const sentence of unknownSettings(env)) console.error(sentence);
      const lock = await lockDataFolder(config.DATA_DIR);
      print('Starting Postgres, Temporal, API and worker …');
      const { startStack } = await import('../stack/start-stack.ts');
      const stack = await unlessStopped(
        stopped,
        startStack(config, lock, env, sentence => console.error(sentence)),
        () => endStart().finally(lock.release),
      );
      try {
        const shortfall = await unlessStopped(stopped, runDemo(config.DATA_DIR), stack.stop);
        if (options.exit) return failFor(shortfall);
        if (shortfall !== undefined) print(`\n${shortfall}`);
        printBanner(stack, Date.now() - began);
        await stopped;
        await sayWhatStops(stack.activeJobs);
      } finally {
        await stack.stop();
      }
    });
}

/** Returns a sentence if a job did not end with a pull request. */
async function runDemo(dataDir: string): Promise<string | undefined> {
  const { BASE_URL, ADMIN_KEY, PROJECT_ID, TEMPORAL_UI_URL } = readDemoEnv(dataDir);
  if (!BASE_URL || !ADMIN_KEY || !PROJECT_ID)
    throw new CommandFailure(
      `The sample project in ${dataDir} was removed. Set DATA_DIR to a new folder.`,
    );
  const client = openJobs({ baseUrl: BASE_URL, key: ADMIN_KEY }, PROJECT_ID);

  const began = Date.now();
  const page = await freePage(dataDir);
  const job = await client.create({ prompt: instruction(page) });
  print(
    paint(
      'dim',
      `\n${job.id}, in Temporal: ${TEMPORAL_UI_URL}/namespaces/default/workflows/${job.id}\n`,
    ),
  );
  const { lastSeq } = await printProgress(progressOf(client, job.id));
  const shortfall = await showResult(client, await client.get(job.id), Date.now() - began);
  if (shortfall !== undefined) return shortfall;

  print(paint('bold', '\nA follow-up goes to the same branch and pull request.\n'));
  const again = Date.now();
  await client.message(job.id, { prompt: followUp(page) });
  await printProgress(progressOf(client, job.id, lastSeq));
  return await showResult(client, await client.get(job.id), Date.now() - again);
}

/** A page that no branch of the sample has or had: an earlier demo may have added the first. */
async function freePage(dataDir: string): Promise<string> {
  const added = await git(
    ['log', '--all', '--format=', '--name-only', '--', 'docs/assistant/faq*.md'],
    { cwd: repositoryFolder({ dataDir }, SAMPLE) },
  );
  const taken = new Set(added.split('\n'));
  for (let number = 1; ; number++) {
    const path = number === 1 ? 'docs/assistant/faq.md' : `docs/assistant/faq-${number}.md`;
    if (!taken.has(path)) return path;
  }
}

function failFor(shortfall: string | undefined): void {
  if (shortfall !== undefined) throw new CommandFailure(shortfall);
}

async function showResult(client: Jobs, job: Job, tookMs: number): Promise<string | undefined> {
  if (job.status !== 'completed' || !job.prLink)
    return (
      `The demo's job ended as "${job.status}" without a pull request. ` +
      `Run "docent job messages ${job.id}" to see why.`
    );
  const seconds = (tookMs / 1000).toFixed(1);
  print(`\n${paint('bold', 'Pull request')} ${job.prLink} ${paint('dim', `(${seconds} s)`)}\n`);
  for (const line of (await client.diff(job.id)).trimEnd().split('\n')) print(coloured(line));
  return undefined;
}

function coloured(line: string): string {
  if (line.startsWith('+')) return paint('green', line);
  if (line.startsWith('-')) return paint('red', line);
  return line.startsWith('@@') ? paint('cyan', line) : line;
}
