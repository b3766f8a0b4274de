import type { Command } from 'commander';
import { counted } from '../../../shared/text/counted.ts';
import { type Env, withDatabase } from '../../connect/settings.ts';
import { openTemporal } from '../../connect/temporal.ts';
import { CommandFailure, EXIT } from '../../output/failure.ts';
import { print } from '../../output/terminal.ts';
import type { Settled } from '../../reconcile/difference.ts';

interface ReconcileOptions {
  dryRun?: boolean;
  json?: boolean;
}

/** `docent reconcile`: after a restore, what the stores say differently. */
export function registerReconcile(program: Command, env: Env): void {
  program
    .command('reconcile')
    .description(
      'after a restore: compare Postgres with Temporal and the hosts, settle differences',
    )
    .option('--dry-run', 'change nothing')
    .option('--json', 'print one JSON document')
    .action(async ({ dryRun = false, json = false }: ReconcileOptions) => {
      const { reconcile } = await import('../../reconcile/reconcile.ts');
      await withDatabase(env, async (pool, config) => {
        const temporal = await openTemporal(config);
        try {
          const differences: Settled[] = [];
          const compared = await reconcile(
            { config, pool, temporal: temporal.client },
            {
              dryRun,
              tell: each => {
                differences.push(each);
                if (!json) printDifference(each);
              },
            },
          );
          if (json) print(JSON.stringify({ dryRun, compared, differences }, null, 2));
          else printSum(compared, differences);
          const left = differences.filter(({ state }) => isLeft(state)).length;
          if (left > 0)
            throw new CommandFailure(`${counted(left, 'difference')} not settled.`, EXIT.differs);
        } finally {
          await temporal.close();
        }
      });
    });
}

function isLeft(state: Settled['state']): boolean {
  return state === 'planned' || state === 'open' || state === 'failed';
}

function printDifference({ state, job, says, remedy, error }: Settled): void {
  print(`${state.padEnd(7)}  ${job ?? ''}`.trimEnd());
  print(`         ${says}`);
  print(`         ${remedy}${error === undefined ? '' : ` It failed: ${error}`}`);
}

function printSum(
  { jobs, repositories }: { jobs: number; repositories: number },
  differences: readonly Settled[],
): void {
  const where = `${counted(jobs, 'open job')} and ${counted(repositories, 'repository', 'repositories')}`;
  print(
    differences.length === 0
      ? `Compared ${where}: nothing differs.`
      : `Compared ${where}: ${counted(differences.length, 'difference')}.`,
  );
}
