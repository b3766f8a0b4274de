import type { Queryable } from './pool.ts';

/** Adds a value to a statement and returns the parameter that stands for it, with its SQL type. */
export type AddValue = (value: unknown, type: string) => string;

/**
 * A change of rows that is a statement of its own or a part of a larger one, so that it costs no
 * round trip. Equal names have equal texts.
 */
export interface StatementPart {
  name: string;
  /** `from`: what the change depends on, `from …` with one row or none; empty for nothing. */
  text(value: AddValue, from: string): string;
}

/** Executes a part as a statement of its own. */
export async function execute(db: Queryable, { name, text }: StatementPart): Promise<void> {
  const values: unknown[] = [];
  await db.query({ name, text: text(adder(values), ''), values });
}

/** Adds to `values`. */
export function adder(values: unknown[]): AddValue {
  return (value, type) => `$${values.push(value)}::${type}`;
}
