import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE = readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8');

/** The version of this release: what commands, the API document and backups name. */
export const { version: VERSION } = JSON.parse(PACKAGE) as { version: string };
