// Prints openapi.ts: the types of what this client sends and reads. The generator needs the
// compiler's API, which TypeScript 7 does not have: so this package has TypeScript 5 of its own.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';

const file = join(import.meta.dirname, '../../docs/openapi.json');
const { openapi, info, components } = JSON.parse(await readFile(file, 'utf8'));

/** Names that the sources import, and what these refer to. */
const wanted = new Set();
for (const name of await readdir(import.meta.dirname)) {
  if (!name.endsWith('.ts')) continue;
  const source = await readFile(join(import.meta.dirname, name), 'utf8');
  for (const [, names] of source.matchAll(/import type \{([^}]*)\} from '\.\/openapi\.ts'/g))
    for (const each of names.match(/\w+/g)) wanted.add(each);
}
for (const name of wanted)
  for (const [, other] of JSON.stringify(components.schemas[name]).matchAll(
    /"#\/components\/schemas\/(\w+)"/g,
  ))
    wanted.add(other);

const schemas = Object.fromEntries([...wanted].map(name => [name, components.schemas[name]]));
const types = await openapiTS(
  { openapi, info, paths: {}, components: { schemas } },
  { alphabetize: true, rootTypes: true, rootTypesNoSchemaPrefix: true },
);
process.stdout.write(
  `// Made of docs/openapi.json by: npm run generate -w docent-client\n\n${astToString(types)}`,
);
