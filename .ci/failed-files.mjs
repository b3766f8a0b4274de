// Prints the test files of a jest report that failed, one a line.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

let report;
try {
  report = JSON.parse(readFileSync(process.argv[2], 'utf8'));
} catch {
  process.exit(); // the run did not get as far: count.mjs says so
}
for (const { name, status } of report.testResults)
  if (status === 'failed') console.log(relative(process.cwd(), name));
