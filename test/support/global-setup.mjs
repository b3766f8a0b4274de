// Jest does not transform its global setup in ESM mode; tsx does.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { register } from 'tsx/esm/api';
import { builtFile } from '../../bin/built.mjs';

const DASHBOARD = join(import.meta.dirname, '../../dashboard/build.mjs');
const THREADS = join(import.meta.dirname, '../../bin/build.mjs');

export default async function setup() {
  register();
  const [{ startServices }, { bundlePrograms }] = await Promise.all([
    import('./start-services.ts'),
    import('./bundle-programs.ts'),
  ]);
  process.env.TEST_PROGRAMS = await bundlePrograms();
  // In processes of their own: the bundler sets NODE_ENV. Tests start hundreds of threads, and from
  // the sources each would take more than a second of CPU.
  const builds = [DASHBOARD, ...(builtFile('docent.mjs') ? [] : [THREADS])].map(build =>
    promisify(execFile)(process.execPath, [build]),
  );
  globalThis.docentServices = await startServices();
  await Promise.all(builds);
}
