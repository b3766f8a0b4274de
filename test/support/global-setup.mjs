// Jest does not transform its global setup in ESM mode; tsx does.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { register } from 'tsx/esm/api';

const BUILD = join(import.meta.dirname, '../../dashboard/build.mjs');

export default async function setup() {
  register();
  const [{ startServices }, { bundlePrograms }] = await Promise.all([
    import('./start-services.ts'),
    import('./bundle-programs.ts'),
  ]);
  process.env.TEST_PROGRAMS = await bundlePrograms();
  // In a process of its own: the bundler sets NODE_ENV.
  const built = promisify(execFile)(process.execPath, [BUILD]);
  globalThis.docentServices = await startServices();
  await built;
}
