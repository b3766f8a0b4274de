import type { TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { describe } from '../../api/plugins/validation.ts';
import { CommandFailure, EXIT } from '../output/failure.ts';

/**
 * Holds a flag's value against what the API takes for it; one that was not given will do. Throws
 * `CommandFailure`.
 */
export function checkFlag(flag: string, schema: TSchema, value: unknown): void {
  const error = value === undefined ? undefined : Value.Errors(schema, value).First();
  if (error) throw new CommandFailure(`${flag} must be ${describe(error.schema)}.`, EXIT.usage);
}
