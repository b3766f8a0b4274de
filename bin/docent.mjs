#!/usr/bin/env node
// Docent runs from its TypeScript sources (docs/decisions/0001-run-from-source.md).
import { register } from 'tsx/esm/api';
register();
await import('../cli/docent.ts');
