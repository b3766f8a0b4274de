import { rm } from 'node:fs/promises';

export default async function teardown() {
  await globalThis.docentServices?.stop();
  await rm(process.env.TEST_PROGRAMS, { recursive: true, force: true });
}
