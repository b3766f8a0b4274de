// npm run torture -- [--minutes N] [--seed N] [--faults kill,freeze,term,network,power,disk,model]
//   [--from FOLDER] [--json]
// With the fault github, the project is on the GitHub stand-in: --faults github,kill
// npm run torture -- --backups N [--seed N] [--json]
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { type Fault, FAULTS } from './faults.ts';
import { tortureBackups } from './backup-rounds.ts';
import { torture } from './run.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '3' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e6)) },
    faults: { type: 'string', default: FAULTS.filter(name => name !== 'github').join(',') },
    /** A checkout of an earlier version, from which the processes are updated half-way. */
    from: { type: 'string' },
    json: { type: 'boolean', default: false },
    /** So many times a backup under load, restored in another folder, instead of faults. */
    backups: { type: 'string' },
  },
});
const faults = values.faults
  .split(',')
  .filter((name): name is Fault => (FAULTS as readonly string[]).includes(name));
const began = Date.now();
const say = (sentence: string) =>
  console.error(`${((Date.now() - began) / 1000).toFixed(1).padStart(7)} s  ${sentence}`);
if (values.backups !== undefined) {
  const violations = await tortureBackups(Number(values.backups), Number(values.seed), say);
  process.exit(violations === 0 ? 0 : 1);
}
say(`seed ${values.seed}, ${values.minutes} minutes, faults: ${faults.join(' ')}`);
const verdict = await torture({
  seed: Number(values.seed),
  minutes: Number(values.minutes),
  faults,
  from: values.from,
  say,
});
const load = loadavg().map(value => Number(value.toFixed(1)));
if (values.json) console.log(JSON.stringify({ ...verdict, load }, null, 2));
else {
  const { violations, recovery, ...figures } = verdict;
  console.log(figures, 'load', load);
  console.table(recovery);
  for (const violation of violations) console.log(`VIOLATION  ${violation}`);
  console.log(violations.length === 0 ? 'No violation.' : `${violations.length} violations.`);
}
process.exit(verdict.violations.length === 0 ? 0 : 1);
