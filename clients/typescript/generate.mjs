// Prints openapi.ts: the types of everything that the API sends and accepts. The generator needs the
// compiler's API, which TypeScript 7 does not have: so this package has TypeScript 5 of its own.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';

const file = join(import.meta.dirname, '../../docs/openapi.json');
const { openapi, info, components } = JSON.parse(await readFile(file, 'utf8'));
// Without the operations, which the client has as methods, and which are two thirds of the text.
const document = { openapi, info, paths: {}, components: { schemas: components.schemas } };
const types = await openapiTS(document, {
  alphabetize: true,
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
});
process.stdout.write(
  `// Made of docs/openapi.json by: npm run generate -w docent-client\n\n${astToString(types)}`,
);
