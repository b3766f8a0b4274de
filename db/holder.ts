import { randomInt } from 'node:crypto';
import type { Connection } from './pool.ts';

/** Names this process in the rows that it works on. */
export const HOLDER = randomInt(1, 2 ** 31);
/** The first half of the locks' key. */
const CLASS = 736_362;

/**
 * While this connection lasts, this process counts as alive. Its end tells Postgres so; a machine
 * that is gone without a word is noticed by probes, after 11 seconds.
 */
export async function holdRows(connection: Connection): Promise<void> {
  await connection.query(
    `set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3;
     select pg_advisory_lock_shared(${CLASS}, ${HOLDER})`,
  );
}

/**
 * SQL that is true if the process of that number is gone. Right after Postgres has restarted, one
 * that lives may seem gone: what follows from it must be harmless.
 */
export function isGone(holder: string): string {
  return `(${holder} is not null and not exists (
    select from pg_locks l
     where l.locktype = 'advisory' and l.classid = ${CLASS} and l.objid = ${holder}::oid
       and l.objsubid = 2 and l.granted
       and l.database = (select oid from pg_database where datname = current_database())))`;
}
