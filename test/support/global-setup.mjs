// Jest does not transform its global setup in ESM mode; tsx does.
import { register } from 'tsx/esm/api';

export default async function setup() {
  register();
  const [{ startServices }, { bundlePrograms }] = await Promise.all([
    import('./start-services.ts'),
    import('./bundle-programs.ts'),
  ]);
  process.env.TEST_PROGRAMS = await bundlePrograms();
  globalThis.docentServices = await startServices();
}
