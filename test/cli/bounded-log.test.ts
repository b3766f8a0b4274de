import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { boundedLog, boundLog } from '../../cli/embedded/bounded-log.ts';
import { startChild } from '../../cli/embedded/child.ts';
import { createLogger } from '../../shared/logger.ts';
import { until } from '../support/until.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docent-log-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('our own log: two files of that size, the newest lines without a gap, also after a restart', () => {
  const path = join(folder, 'docent.log');
  for (const process of [0, 1]) {
    const log = createLogger('info', boundedLog(path, 20_000));
    for (let i = 0; i < 500; i++) log.info({ line: process * 500 + i }, 'x'.repeat(50));
  }
  expect(readdirSync(folder).toSorted()).toEqual(['docent.log', 'docent.log.1']);
  for (const name of readdirSync(folder))
    expect(statSync(join(folder, name)).size).toBeLessThan(20_300);
  const lines = ['docent.log.1', 'docent.log']
    .flatMap(name => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
    .map(line => (JSON.parse(line) as { line: number }).line);
  expect(lines.length).toBeGreaterThan(100);
  expect(lines).toEqual(lines.map((_, i) => 1_000 - lines.length + i));
});

it('the log of a child: it is cut while the child writes, who goes on at its beginning', async () => {
  const logFile = join(folder, 'child.log');
  const gate = join(folder, 'gate');
  const script = `seq 1 5000; while [ ! -e ${gate} ]; do sleep 0.05; done; echo after; sleep 60`;
  const child = await startChild({
    ...{ command: '/bin/sh', args: ['-c', script], logFile },
    env: { PATH: process.env['PATH'] },
  });
  try {
    const text = () => readFileSync(logFile, 'utf8');
    await until('it has written', () => text().endsWith('5000\n'));
    boundLog(logFile, 1_000_000);
    expect(text()).toMatch(/^1\n2\n/);
    boundLog(logFile, 10_000);
    expect(text()).toBe('');
    writeFileSync(gate, '');
    await until('it writes on', () => text() !== '');
    expect(text()).toBe('after\n');
    expect(readFileSync(`${logFile}.1`, 'utf8')).toMatch(/^1\n2\n[^]*\n5000\n$/);
  } finally {
    await child.stop(0);
  }
});
