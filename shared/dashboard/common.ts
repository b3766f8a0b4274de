import { type TSchema, Type } from '@sinclair/typebox';

/** What all parts of the dashboard's contract are made of. */
export const Time = Type.String({ format: 'date-time' });
export const Id = Type.String({ pattern: '^[A-Za-z0-9_-]{1,100}$' });
export const Slug = Type.String({ pattern: '^[A-Za-z0-9-]{1,100}$' });
export const Cursor = Type.String({ maxLength: 200 });

export function nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}
