// Counts what jest's reports say: of a file that was run again, the second run. Ends with "N
// passed, N failed", and with status 1 where something failed.
import { existsSync, readFileSync } from 'node:fs';

const [status, first, second] = process.argv.slice(2);
const files = new Map();
for (const path of [first, second]) {
  if (!existsSync(path)) continue;
  for (const file of JSON.parse(readFileSync(path, 'utf8')).testResults) files.set(file.name, file);
}
let passed = 0;
let failed = 0;
for (const { status: outcome, assertionResults } of files.values()) {
  const count = wanted => assertionResults.filter(test => test.status === wanted).length;
  passed += count('passed');
  // A file that could not even load has no tests to count, and must count.
  failed += outcome === 'failed' ? Math.max(1, count('failed')) : 0;
}
// Killed, or nothing was run at all.
if (failed === 0 && (status !== '0' || passed === 0)) failed = 1;
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
