// Where a thread begins: like bin/docent.mjs, it runs what is built, or the sources through a loader.
import { pathToFileURL } from 'node:url';
import { workerData } from 'node:worker_threads';
import { builtFile } from '../../bin/built.mjs';

const { built: name, source } = workerData;
const built = name && builtFile(`${name}.mjs`);
if (!built) (await import('tsx/esm/api')).register();
await import(built ?? pathToFileURL(source).href);
