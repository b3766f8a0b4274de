import type { Command } from 'commander';
import { describeFailure, EXIT } from './output/failure.ts';

/** Runs a program of ours to its end: what it writes is private, and a failure is a sentence. */
export async function runProgram(program: Command): Promise<void> {
  // Files that we and our children write are private to the user: keys, repositories, histories.
  process.umask(0o077);
  // A reader that has seen enough, such as `head`, is not a failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.ok);
    throw error;
  });
  exitOverride(program);
  try {
    await program.parseAsync();
  } catch (error) {
    const { text, exitCode } = describeFailure(error);
    if (text) console.error(text);
    process.exitCode = exitCode;
  }
}

/** Otherwise Commander exits by itself, with 1 for wrong usage. */
function exitOverride(command: Command): void {
  command.exitOverride();
  for (const each of command.commands) exitOverride(each);
}
