import { type Static, Type } from '@sinclair/typebox';

/** A file of a folder that a person chose in the browser. */
export const UploadedFile = Type.Object({
  /** Within the folder, with slashes. */
  path: Type.String({ minLength: 1, maxLength: 1_000 }),
  /** Base64. */
  content: Type.String({ pattern: '^[A-Za-z0-9+/]*={0,2}$' }),
});
export type UploadedFile = Static<typeof UploadedFile>;
