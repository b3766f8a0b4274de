#!/usr/bin/env node
// Docent runs from its TypeScript sources, or from what "npm run build" made of exactly these
// (docs/decisions/0001-run-from-source.md).
import { builtFile } from './built.mjs';

const built = builtFile('docent.mjs');
if (!built) (await import('tsx/esm/api')).register();
await import(built ?? '../cli/docent.ts');
