import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { describeFailure, EXIT } from './output/failure.ts';

// Files that we and our children write are private to the user: keys, repositories, histories.
process.umask(0o077);

const { version } = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8'),
) as { version: string };

/** In the order of the help. */
const COMMANDS: readonly [
  name: string,
  load: () => Promise<(program: Command, env: NodeJS.ProcessEnv) => void>,
][] = [
  ['start', async () => (await import('./commands/start.ts')).registerStart],
  ['demo', async () => (await import('./commands/demo.ts')).registerDemo],
  ['check', async () => (await import('./commands/check.ts')).registerCheck],
  ['doctor', async () => (await import('./commands/doctor.ts')).registerDoctor],
  ['api', async () => (await import('./commands/api.ts')).registerApi],
  ['worker', async () => (await import('./commands/worker.ts')).registerWorker],
  ['migrate', async () => (await import('./commands/migrate.ts')).registerMigrate],
  ['project', async () => (await import('./commands/project.ts')).registerProject],
  ['index', async () => (await import('./commands/index-site.ts')).registerIndex],
  ['github', async () => (await import('./commands/github.ts')).registerGitHub],
  ['embeddings', async () => (await import('./commands/embeddings.ts')).registerEmbeddings],
  ['key', async () => (await import('./commands/key.ts')).registerKey],
  ['organization', async () => (await import('./commands/organization.ts')).registerOrganization],
  ['user', async () => (await import('./commands/user.ts')).registerUser],
  ['audit', async () => (await import('./commands/audit.ts')).registerAudit],
  ['job', async () => (await import('./commands/job.ts')).registerJob],
  ['pr', async () => (await import('./commands/pull-request.ts')).registerPullRequest],
];

// A reader that has seen enough, such as `head`, is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.ok);
  throw error;
});

const program = new Command('docent')
  .description('A self-hosted documentation agent and assistant.')
  .version(version)
  .showHelpAfterError('(see --help for the options)');
for (const load of commandsNeeded(process.argv[2])) (await load())(program, process.env);
exitOverride(program);

try {
  await program.parseAsync();
} catch (error) {
  const { text, exitCode } = describeFailure(error);
  if (text) console.error(text);
  process.exitCode = exitCode;
}

/** Otherwise Commander exits by itself, with 1 for wrong usage. */
function exitOverride(command: Command): void {
  command.exitOverride();
  for (const each of command.commands) exitOverride(each);
}

/**
 * Loading all commands takes a second, so a named command is loaded alone. The help and a wrong
 * name need all of them.
 */
function commandsNeeded(name: string | undefined) {
  const named = COMMANDS.filter(([command]) => command === name);
  return (named.length > 0 ? named : COMMANDS).map(([, load]) => load);
}
