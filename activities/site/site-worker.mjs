// A thread of its own: the sources run directly, so it needs the loader as bin/docent.mjs does.
import { register } from 'tsx/esm/api';
register();
await import('./site-thread.ts');
