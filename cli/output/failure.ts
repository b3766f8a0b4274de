import { CommanderError } from 'commander';
import { DocentError } from '../../clients/typescript/docent-error.ts';
import { ConfigError, Problem } from '../../shared/errors.ts';
import { redact } from '../../shared/secrets/redact.ts';
import { RepositoryError } from '../../hosts/repository-error.ts';

/** Exit codes, for scripts. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  auth: 3,
  notFound: 4,
  rateLimit: 5,
  differs: 6,
  /** What answers is not Docent's API. */
  stranger: 7,
} as const;

/** A command cannot continue. The message is for people; no stack is shown. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The exit code for an HTTP error response. */
export function exitCodeOf(status: number): number {
  if (status === 401 || status === 403) return EXIT.auth;
  if (status === 404) return EXIT.notFound;
  if (status === 429) return EXIT.rateLimit;
  return status < 500 ? EXIT.usage : EXIT.failed;
}

/** The text to print for an error, and its exit code. Only an unexpected error shows its stack. */
export function describeFailure(error: unknown): { text: string; exitCode: number } {
  if (error instanceof CommanderError)
    return { text: '', exitCode: error.exitCode === 0 ? EXIT.ok : EXIT.usage };
  if (error instanceof CommandFailure) return { text: error.message, exitCode: error.exitCode };
  if (error instanceof ConfigError) return { text: error.message, exitCode: EXIT.usage };
  if (error instanceof RepositoryError) return { text: error.message, exitCode: EXIT.failed };
  if (error instanceof DocentError)
    return {
      text: error.message,
      exitCode: error.status === 0 ? EXIT.failed : exitCodeOf(error.status),
    };
  if (error instanceof Problem) return { text: error.message, exitCode: exitCodeOf(error.status) };
  return {
    text: redact(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    exitCode: EXIT.failed,
  };
}
