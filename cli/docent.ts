import { Command } from 'commander';
import { VERSION } from '../shared/version.ts';
import { COMMANDS } from './commands/registry.ts';
import { describeFailure, EXIT } from './output/failure.ts';

// Files that we and our children write are private to the user: keys, repositories, histories.
process.umask(0o077);

// A reader that has seen enough, such as `head`, is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.ok);
  throw error;
});

const program = new Command('docent')
  .description('A self-hosted documentation agent and assistant.')
  .version(VERSION)
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
