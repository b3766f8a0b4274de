// Counts what jest's reports say: of a file that ran again, the second run. Lists the files that
// passed only then as flaky. Ends with "N passed, N failed", and with status 1 if something failed.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

const [status, first, second] = process.argv.slice(2);
const files = new Map();
const flaky = [];
for (const path of [first, second]) {
  if (!existsSync(path)) continue;
  for (const file of JSON.parse(readFileSync(path, 'utf8')).testResults) {
    const before = files.get(file.name);
    if (before?.status === 'failed' && file.status === 'passed') flaky.push(before);
    files.set(file.name, file);
  }
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

for (const { name, assertionResults, message } of flaky) {
  const tests = assertionResults.flatMap(test => (test.status === 'failed' ? test.fullName : []));
  console.log(`Flaky: ${relative(process.cwd(), name)}: ${tests.join('; ') || 'did not load'}`);
  console.log(message.trim());
}
if (flaky.length > 0) console.log(`${flaky.length} flaky`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
