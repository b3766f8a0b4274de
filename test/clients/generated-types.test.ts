import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const PACKAGE = join(import.meta.dirname, '../../clients/typescript');

it('the client has the types of the API document: npm run generate -w docent-client', async () => {
  const program = [join(PACKAGE, 'generate.mjs')];
  const made = await promisify(execFile)(process.execPath, program, { maxBuffer: 1e8 });
  expect(made.stdout === (await readFile(join(PACKAGE, 'openapi.ts'), 'utf8'))).toBe(true);
}, 60_000);
