import { Type } from '@sinclair/typebox';

/** Globs as the agent's tools take them, with `*`, `**` and `?`. */
export const AllowPaths = Type.Array(
  Type.String({ minLength: 1, maxLength: 200, pattern: String.raw`^[^\s,{}[\]\\:]+$` }),
  {
    maxItems: 50,
    description: 'Files that jobs may write beyond pages, images and navigation, as globs.',
  },
);
