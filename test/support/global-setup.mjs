// Jest does not transform its global setup in ESM mode; tsx does.
import { register } from 'tsx/esm/api';

export default async function setup() {
  register();
  const { startServices } = await import('./start-services.ts');
  globalThis.docentServices = await startServices();
}
