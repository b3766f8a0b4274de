// npm run torture -- [--minutes N] [--seed N] [--faults kill,freeze,term,network,power,
//   services,clock,disk,model]
//   [--from FOLDER] [--encrypted] [--json]
// npm run torture -- --soak MINUTES [--seed N] [--encrypted]
// With the fault github, the project is on the GitHub stand-in: --faults github,kill
// npm run torture -- --links
// npm run torture -- --impatient CLIENTS [--seed N]
// npm run torture -- --backups N [--seed N] [--json]
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { FAULTS } from './faults.ts';
import { tortureBackups } from './backup-rounds.ts';
import { impatience } from './impatient.ts';
import { tryLinks } from './links.ts';
import { torture } from './run.ts';
import { soak } from './soak.ts';

const USAGE = `npm run torture -- [--minutes N] [--seed N] [--faults A,B] [--from FOLDER]
  [--encrypted] [--json]
npm run torture -- --soak MINUTES [--seed N] [--encrypted]
npm run torture -- --links
npm run torture -- --impatient CLIENTS [--seed N]
npm run torture -- --backups N [--seed N] [--json]
Faults: ${FAULTS.join(', ')}`;

const values = asked();
const faults = values.faults.split(',').map(name => {
  const fault = FAULTS.find(known => known === name);
  return fault ?? refuse(`There is no fault "${name}".`);
});
const began = Date.now();
const say = (sentence: string) =>
  console.error(`${((Date.now() - began) / 1000).toFixed(1).padStart(7)} s  ${sentence}`);
if (values.backups !== undefined) {
  const violations = await tortureBackups(number('backups'), number('seed'), say);
  process.exit(violations === 0 ? 0 : 1);
}
if (values.links) {
  const met = await tryLinks(say);
  console.table(met);
  const stuck = met.filter(one => one['normal after, s'] === null);
  finish(stuck.map(({ link, fault }) => `${link}: ${fault}, and does not come back`));
}
if (values.impatient !== undefined) {
  const { served, violations, ...figures } = await impatience(
    number('impatient'),
    number('seed'),
    say,
  );
  console.log(figures);
  for (const [moment, table] of Object.entries(served)) {
    console.log(moment);
    console.table(table);
  }
  finish(violations);
}
if (values.soak !== undefined) {
  const { held, violations, ...figures } = await soak({
    ...{ seed: number('seed'), minutes: number('soak'), isEncrypted: values.encrypted, say },
  });
  console.log(figures);
  console.table(held);
  finish(violations);
}
say(
  `seed ${values.seed}, ${values.minutes} minutes, faults: ${faults.join(' ')}${values.encrypted ? ', encrypted' : ''}`,
);
const verdict = await torture({
  seed: number('seed'),
  minutes: number('minutes'),
  faults,
  from: values.from,
  isEncrypted: values.encrypted,
  say,
});
const load = loadavg().map(value => Number(value.toFixed(1)));
if (values.json) console.log(JSON.stringify({ ...verdict, load }, null, 2));
else {
  const { recovery, held, violations: _, ...figures } = verdict;
  console.log(figures, 'load', load);
  console.table(recovery);
  console.table(held);
}
finish(verdict.violations);

function finish(violations: string[]): never {
  if (!values.json) {
    for (const violation of violations) console.log(`VIOLATION  ${violation}`);
    console.log(violations.length === 0 ? 'No violation.' : `${violations.length} violations.`);
  }
  process.exit(violations.length === 0 ? 0 : 1);
}

function asked() {
  const options = {
    minutes: { type: 'string', default: '3' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e6)) },
    faults: { type: 'string', default: FAULTS.filter(name => name !== 'github').join(',') },
    /** A checkout of an earlier version, from which the processes are updated half-way. */
    from: { type: 'string' },
    /** What Temporal stores is encrypted. */
    encrypted: { type: 'boolean', default: false },
    /** So many minutes of a moderate load without faults, and what grows. */
    soak: { type: 'string' },
    /** So many clients who leave after 0 to 50 ms, and what the others get. */
    impatient: { type: 'string' },
    /** Each connection with a proxy that swallows, halves and slows. */
    links: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    /** So many times a backup under load, restored in another folder, instead of faults. */
    backups: { type: 'string' },
  } as const;
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return refuse((error as Error).message);
  }
}

function number(name: 'backups' | 'impatient' | 'minutes' | 'seed' | 'soak'): number {
  const value = Number(values[name]);
  return value >= 0 ? value : refuse(`--${name} takes a number, not "${values[name]}".`);
}

function refuse(sentence: string): never {
  console.error(`${sentence}\n\n${USAGE}`);
  process.exit(2);
}
