import { Command } from 'commander';
import { VERSION } from '../shared/version.ts';
import { COMMANDS } from './commands/registry.ts';
import { runProgram } from './run-program.ts';

const program = new Command('docent')
  .description('A self-hosted documentation agent and assistant.')
  .version(VERSION)
  .showHelpAfterError('(see --help for the options)');
for (const load of commandsNeeded(process.argv[2])) (await load())(program, process.env);
await runProgram(program);

/**
 * Loading all commands takes a second, so a named command is loaded alone. The help and a wrong
 * name need all of them.
 */
function commandsNeeded(name: string | undefined) {
  const named = COMMANDS.filter(([command]) => command === name);
  return (named.length > 0 ? named : COMMANDS).map(([, load]) => load);
}
