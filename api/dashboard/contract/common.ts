import { type TSchema, Type } from '@sinclair/typebox';
import { worded } from '../../../shared/text/worded.ts';

/** What all parts of the dashboard's contract are made of. */
export const Time = Type.String({ format: 'date-time' });
export const Id = worded('^[A-Za-z0-9_-]{1,100}$', ' of 1 to 100 letters, digits, - and _');
export const Slug = worded('^[A-Za-z0-9-]{1,100}$', ' of 1 to 100 letters, digits and -');
export const Cursor = Type.String({ maxLength: 200 });

export function nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}
