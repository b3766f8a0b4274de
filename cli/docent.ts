import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { describeFailure } from './output/failure.ts';

// What we and our children write is for their user only: keys, repositories, histories.
process.umask(0o077);

const { version } = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8'),
) as { version: string };

/** Each with the names of its commands, in the order of the help. */
const COMMANDS: readonly [
  names: readonly string[],
  load: () => Promise<(program: Command, env: NodeJS.ProcessEnv) => void>,
][] = [
  [['start'], async () => (await import('./commands/start.ts')).registerStart],
  [['demo'], async () => (await import('./commands/demo.ts')).registerDemo],
  [['doctor'], async () => (await import('./commands/doctor.ts')).registerDoctor],
  [['api', 'worker', 'migrate'], async () => (await import('./commands/roles.ts')).registerRoles],
  [['project', 'index'], async () => (await import('./commands/project.ts')).registerProject],
  [['github'], async () => (await import('./commands/github.ts')).registerGitHub],
  [['embeddings'], async () => (await import('./commands/embeddings.ts')).registerEmbeddings],
  [['key'], async () => (await import('./commands/key.ts')).registerAccess],
  [['user'], async () => (await import('./commands/user.ts')).registerUser],
  [['job'], async () => (await import('./commands/job.ts')).registerJob],
  [['pr'], async () => (await import('./commands/pull-request.ts')).registerPullRequest],
];

const program = new Command('docent')
  .description('A self-hosted documentation agent and assistant.')
  .version(version)
  .showHelpAfterError('(--help shows the options)');
for (const load of commandsNeeded(process.argv[2])) (await load())(program, process.env);
exitOverride(program);

try {
  await program.parseAsync();
} catch (error) {
  const { text, exitCode } = describeFailure(error);
  if (text) console.error(text);
  process.exitCode = exitCode;
}

/** Commander would end the process itself, with 1 for wrong usage. */
function exitOverride(command: Command): void {
  command.exitOverride();
  for (const each of command.commands) exitOverride(each);
}

/**
 * Loading what all commands need takes a second: one that is named needs only its own, the help and
 * a wrong name need all.
 */
function commandsNeeded(name: string | undefined) {
  const named = COMMANDS.filter(([names]) => name !== undefined && names.includes(name));
  return (named.length > 0 ? named : COMMANDS).map(([, load]) => load);
}
