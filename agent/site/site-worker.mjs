// A thread of its own: like bin/docent.mjs, it runs what is built, or the sources through a loader.
import { builtFile } from '../../bin/built.mjs';

const built = builtFile('tools-thread.mjs');
if (!built) (await import('tsx/esm/api')).register();
await import(built ?? './site-thread.ts');
