import { existsSync } from 'node:fs';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { freePort, holdPort } from '../../cli/embedded/ports.ts';
import { startServices } from '../../cli/stack/services.ts';
import { readConfig } from '../../shared/config.ts';
import { docent, temporaryFolder } from '../support/docent.ts';
import { testTemporal } from '../support/services.ts';
import { until } from '../support/until.ts';

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

it('an API whose usual port is taken gets another, and says so', async () => {
  const neighbour = await holdPort(HOST, 0);
  const config = readConfig({
    DATABASE_URL: 'postgres://nobody',
    TEMPORAL_ADDRESS: 'nowhere:7233',
    MODEL_PROVIDER: 'offline',
  });
  const said: string[] = [];
  const services = await startServices(
    config,
    { BASE_URL: `http://${HOST}:${neighbour.port}` },
    '',
    sentence => said.push(sentence),
  );
  const { PORT } = services.config;
  expect(said).toEqual([
    `Port ${neighbour.port} is taken on ${HOST}: Docent uses ${PORT} from now on. ` +
      `To go back, stop what listens there and start with PORT=${neighbour.port}.`,
  ]);
  await services.stop();
  await neighbour.release();
  const again = await startServices(config, { BASE_URL: `http://${HOST}:${PORT}` }, '', sentence =>
    said.push(sentence),
  );
  expect([again.config.PORT, said]).toEqual([PORT, [expect.any(String)]]);
  await again.stop();
});

it('a Temporal server whose port was taken at the last moment is started on another', async () => {
  const folder = await temporaryFolder();
  const [asked, taken] = [join(folder, 'asked'), join(folder, 'taken')];
  // The first one waits, after its port was released for it, until somebody else listens there.
  const cli = join(folder, 'temporal');
  await writeFile(
    cli,
    `#!/bin/sh\n: > '${asked}'\nwhile [ ! -e '${taken}' ]; do sleep 0.05; done\n` +
      `exec '${testTemporal().cliPath}' "$@"\n`,
  );
  await chmod(cli, 0o755);
  const config = readConfig({
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: 'postgres://nobody',
    TEMPORAL_CLI_PATH: cli,
    MODEL_PROVIDER: 'offline',
  });
  const usual = await freePort(HOST);
  const starting = startServices(
    config,
    { TEMPORAL_ADDRESS: `${HOST}:${usual}` },
    '',
    () => undefined,
  );
  await until('the server is started', () => existsSync(asked));
  const neighbour = await holdPort(HOST, usual);
  expect(neighbour.port).toBe(usual);
  await writeFile(taken, '');
  const services = await starting;
  expect(services.config.TEMPORAL_ADDRESS).toMatch(/^127\.0\.0\.1:\d+$/);
  expect(services.config.TEMPORAL_ADDRESS).not.toBe(`${HOST}:${usual}`);
  await services.stop();
  await neighbour.release();
  await rm(folder, { recursive: true, force: true });
});

it('an API whose metrics port is taken says so, whatever Temporal does', async () => {
  const neighbour = createServer().listen(0, HOST);
  await new Promise(resolve => neighbour.once('listening', resolve));
  const { port } = neighbour.address() as AddressInfo;
  const folder = await temporaryFolder();
  const { code, stderr } = await docent(folder, ['api'], {
    ...{ PORT: '0', METRICS_PORT: `${port}` },
    ...{ DATABASE_URL: 'postgres://nobody@127.0.0.1:9/x', TEMPORAL_ADDRESS: '127.0.0.1:9' },
  });
  expect([code, stderr]).toEqual([
    2,
    `METRICS_PORT ${port} is taken on ${HOST}. Set it to another.\n`,
  ]);
  await new Promise(resolve => neighbour.close(resolve));
  await rm(folder, { recursive: true });
}, 60_000);
