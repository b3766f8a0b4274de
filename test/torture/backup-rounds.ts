import { obtainTemporalCli } from '../../cli/embedded/temporal-cli.ts';
import { INSTALLED } from '../support/docent.ts';
import { backupRound } from './backups.ts';

const LOAD_SECONDS = 40;

/**
 * As many rounds of backup and restore, every second one with repositories that are newer than the
 * backup. Prints a line of JSON for each; returns how many violations there were.
 */
export async function tortureBackups(
  rounds: number,
  seed: number,
  say: (sentence: string) => void,
): Promise<number> {
  process.env['TEST_TEMPORAL_CLI'] = await obtainTemporalCli({
    ...(process.env['TEMPORAL_CLI_PATH'] && { configured: process.env['TEMPORAL_CLI_PATH'] }),
    searchPath: process.env['PATH'] ?? '',
    notify: say,
  });
  let violations = 0;
  for (let round = 0; round < rounds; round++) {
    const verdict = await backupRound({
      ...{ seed: seed + round, loadSeconds: LOAD_SECONDS, isHostNewer: round % 2 === 1 },
      program: INSTALLED,
    });
    violations += verdict.violations.length;
    say(`round ${round + 1} of ${rounds}`);
    console.log(JSON.stringify(verdict));
  }
  say(`${violations} violations`);
  return violations;
}
