import { type Command, InvalidArgumentError } from 'commander';
import { type AuditRow, readAudit } from '../../db/audit/audit-log.ts';
import { type Env, withDatabase } from '../connect/settings.ts';
import { print, printTable } from '../output/terminal.ts';
import { organizationNamed } from '../project/lookup.ts';

const PAGE = 1_000;
const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

interface AuditOptions {
  organization?: string;
  since: Date;
  json?: true;
}

/** `docent audit`: who did what, from the database, oldest first. */
export function registerAudit(program: Command, env: Env): void {
  program
    .command('audit')
    .description('print the audit log, oldest first')
    .option('--organization <slug>', 'of one organization (default: all)')
    .option('--since <time>', 'such as 12h, 7d or 2026-01-31', timeAgo, timeAgo('7d'))
    .option('--json', 'one JSON object per line')
    .action(async (options: AuditOptions) => {
      await withDatabase(env, async pool => {
        const organizationId =
          options.organization === undefined
            ? undefined
            : (await organizationNamed(pool, options.organization)).id;
        const rows: AuditRow[] = [];
        let after: string | undefined;
        for (;;) {
          const wanted = { organizationId, since: options.since, ...(after && { after }) };
          const page = await readAudit(pool, wanted, PAGE);
          if (options.json) for (const row of page) print(JSON.stringify(row));
          else rows.push(...page);
          after = page.at(-1)?.id;
          if (page.length < PAGE) break;
        }
        if (!options.json) printRows(rows);
      });
    });
}

function printRows(rows: readonly AuditRow[]): void {
  printTable(
    ['time', 'organization', 'action', 'by', 'from', 'on', 'details'],
    rows.map(({ at, organization, action, actor, address, subject, details }) => [
      at.toISOString(),
      organization ?? '',
      action,
      actor.name ?? actor.kind,
      address ?? '',
      subject?.name ?? subject?.id ?? '',
      Object.keys(details).length > 0 ? JSON.stringify(details) : '',
    ]),
  );
}

/** A length of time before now, or a date. */
function timeAgo(text: string): Date {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const time =
    count === undefined
      ? new Date(/^\d{4}-\d{2}-\d{2}/.test(text) ? text : Number.NaN)
      : new Date(Date.now() - Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS]);
  if (Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('It must be such as 12h, 7d or 2026-01-31.');
  return time;
}
