import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { registerAccess } from './commands/access.ts';
import { registerDemo } from './commands/demo.ts';
import { registerDoctor } from './commands/doctor.ts';
import { registerEmbeddings } from './commands/embeddings.ts';
import { registerGitHub } from './commands/github.ts';
import { registerJob } from './commands/job.ts';
import { registerProject } from './commands/project.ts';
import { registerPullRequest } from './commands/pull-request.ts';
import { registerRoles } from './commands/roles.ts';
import { registerStart } from './commands/start.ts';
import { registerUser } from './commands/user.ts';
import { describeFailure } from './failure.ts';

// What we and our children write is for their user only: keys, repositories, histories.
process.umask(0o077);

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8')) as { version: string };

const program = new Command('docent')
  .description('A self-hosted documentation agent and assistant.')
  .version(version)
  .showHelpAfterError();
for (const register of [registerStart, registerDemo, registerDoctor, registerRoles, registerProject, registerGitHub, registerEmbeddings, registerAccess, registerUser, registerJob, registerPullRequest]) {
  register(program, process.env);
}
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
