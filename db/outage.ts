const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);
// Classes 08: connection exceptions; 53: a full disk, no memory, too many connections. 25006: read-only
// after a failover. 25P03: a transaction's time limit, which ends its connection. 57P01-05: the server
// stops or starts.
const POSTGRES = /^(08...|53...|25006|25P03|57P0[1-5])$/;
// The time limits of a lock and of a statement: one row can be the reason.
const LIMIT = /^(55P03|57014)$/;
// The driver gives these no code.
const DRIVER = new RegExp(
  '^(Connection terminated|timeout exceeded when trying to connect' +
    '|Client has encountered a connection error|Query read timeout$)',
);

/** Whether a statement or a lock took longer than it may: the database works. */
export function isTimeLimit(error: unknown): boolean {
  return LIMIT.test(codeOf(error));
}

/** Whether Postgres cannot be reached, or cannot write: not the query’s fault. */
export function isDatabaseOutage(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  // One error for each address that was tried.
  if ('errors' in error && Array.isArray(error.errors)) return error.errors.some(isDatabaseOutage);
  const code = codeOf(error);
  return (
    NETWORK.has(code) ||
    POSTGRES.test(code) ||
    ('message' in error && DRIVER.test(String(error.message)))
  );
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : '';
}
