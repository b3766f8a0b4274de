import { chmod, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { freePort, holdPort } from '../../cli/embedded/ports.ts';
import { startServices } from '../../cli/services.ts';
import { readConfig } from '../../shared/config.ts';
import { temporaryFolder } from '../support/docent.ts';
import { testTemporal } from '../support/services.ts';

const HOST = '127.0.0.1';

it('a port is held by one start, and the next gets another', async () => {
  const usual = await freePort(HOST);
  const [one, two] = await Promise.all([holdPort(HOST, usual), holdPort(HOST, usual)]);
  expect([one.port, two.port].filter(port => port === usual)).toHaveLength(1);
  const mine = one.port === usual ? one : two;
  await mine.release();
  await mine.release();
  const server = createServer().listen(usual, HOST);
  await new Promise(resolve => server.once('listening', resolve));
  server.close();
  await Promise.all([one.release(), two.release()]);
});

it('a Temporal server whose port was taken at the last moment is started on another', async () => {
  const folder = await temporaryFolder();
  // Takes the port before the server does, once, as another start on this machine would.
  const cli = join(folder, 'temporal');
  const taker = `require("node:net").createServer().listen(Number(process.argv[1]), "${HOST}", () => console.log("taken")); setTimeout(() => process.exit(), 8000)`;
  await writeFile(cli, `#!/bin/sh
if [ ! -e '${folder}/once' ]; then
  : > '${folder}/once'
  mkfifo '${folder}/said'
  '${process.execPath}' -e '${taker}' "$6" > '${folder}/said' 2>&1 &
  read -r _ < '${folder}/said'
fi
exec '${testTemporal().cliPath}' "$@"
`);
  await chmod(cli, 0o755);
  const config = readConfig({ DATA_DIR: join(folder, 'data'), DATABASE_URL: 'postgres://nobody', TEMPORAL_CLI_PATH: cli, MODEL_PROVIDER: 'offline' });
  const before = await freePort(HOST);
  const services = await startServices(config, { TEMPORAL_ADDRESS: `${HOST}:${before}` }, '', () => undefined);
  expect(services.config.TEMPORAL_ADDRESS).toMatch(/^127\.0\.0\.1:\d+$/);
  expect(services.config.TEMPORAL_ADDRESS).not.toBe(`${HOST}:${before}`);
  await services.stop();
  await rm(folder, { recursive: true, force: true });
});
