// Jest does not transform its global setup in ESM mode; tsx does.
import { register } from 'tsx/esm/api';

export default async function setup() {
  register();
  const [{ startServices }, { bundleWorker }] = await Promise.all([
    import('./start-services.ts'),
    import('./bundle-worker.ts'),
  ]);
  process.env.TEST_WORKER = await bundleWorker();
  globalThis.docentServices = await startServices();
}
