import type { TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { Option } from 'commander';
import { describe } from '../../api/plugins/validation.ts';
import { CommandFailure, EXIT } from '../output/failure.ts';

export const ORGANIZATION = new Option(
  '--organization <slug>',
  'the organization; required if there are several',
);

/** Options of a command that works for one organization. */
export interface ForOrganization {
  organization?: string;
}

/**
 * Checks a flag's value against the API's schema for it; undefined is valid. Throws
 * `CommandFailure`.
 */
export function checkFlag(flag: string, schema: TSchema, value: unknown): void {
  const error = value === undefined ? undefined : Value.Errors(schema, value).First();
  if (error) throw new CommandFailure(`${flag} must be ${describe(error.schema)}.`, EXIT.usage);
}
