import { setTimeout as delay } from 'node:timers/promises';
import { performance } from 'node:perf_hooks';
import { bySecretlint } from '../../agent/policy/secrets/secretlint-scan.ts';

it('a scan for secrets leaves nothing behind that the next one has to look through', async () => {
  const found: string[] = [];
  const kept = performance.getEntries().length; // what runs the tests keeps some of its own
  const token = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_');
  for (let i = 0; i < 20; i++)
    await bySecretlint(`Page ${i}: ${token}\n`, rule => found.push(rule));
  await delay(50); // observers of measurements are told later
  expect(found).toHaveLength(20);
  expect(performance.getEntries().slice(kept)).toEqual([]);
});
