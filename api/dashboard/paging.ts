import { Problem } from '../../shared/errors.ts';

/** Cuts a list that was read one row longer than asked for, and says where the next page begins. */
export function page<T extends { id: string }>(
  rows: T[],
  limit: number,
): { rows: T[]; nextCursor: string | null } {
  const kept = rows.slice(0, limit);
  const last = kept.at(-1);
  return {
    rows: kept,
    nextCursor: rows.length > limit && last ? Buffer.from(last.id).toString('base64url') : null,
  };
}

/** The id that a cursor of a list of `kind` stands for. Throws 400 for any other. */
export function readCursor(cursor: string, kind: 'job' | 'q' | 'aud' | 'run' | 'fb'): string {
  const id = Buffer.from(cursor, 'base64url').toString();
  if (!/^[a-z]+_[0-9a-z]{26}$/.test(id) || !id.startsWith(`${kind}_`))
    throw new Problem('invalid_request', 'Invalid cursor: pass nextCursor from the previous page.');
  return id;
}
