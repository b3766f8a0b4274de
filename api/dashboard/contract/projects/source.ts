import { Type } from '@sinclair/typebox';
import { UploadedFile } from './uploaded-file.ts';

/**
 * `existing`: a repository of the built-in host. `import`: copied from an https address that needs
 * no password. Any other type is the kind of a host: the repository there, used where it is.
 */
export const Source = Type.Union([
  Type.Object({
    type: Type.Literal('existing'),
    repository: Type.String({ minLength: 1, maxLength: 100 }),
  }),
  Type.Object({
    type: Type.Literal('import'),
    url: Type.String({ minLength: 1, maxLength: 1_000 }),
  }),
  Type.Object({
    type: Type.Literal('upload'),
    files: Type.Array(UploadedFile, { minItems: 1, maxItems: 2_000 }),
  }),
  Type.Object({
    type: Type.String({ pattern: '^(?!(existing|import|upload)$)', maxLength: 31 }),
    repository: Type.String({ minLength: 1, maxLength: 201 }),
  }),
]);
