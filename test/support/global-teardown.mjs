export default async function teardown() {
  await globalThis.docentServices.stop();
}
