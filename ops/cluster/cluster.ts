import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { defaultCacheFolder } from '../../cli/embedded/temporal-cli.ts';
import { describeFailure } from '../../cli/output/failure.ts';
import { untilStopped } from '../../cli/stack/stop-signals.ts';
import { type Cluster, startCluster } from './start-cluster.ts';

/** `npm run cluster`: see docs/operate/without-containers.md. Ctrl-C ends everything and removes its files. */
const { values } = parseArgs({
  options: {
    apis: { type: 'string', default: '2' },
    workers: { type: 'string', default: '3' },
    port: { type: 'string', default: '3000' },
    'temporal-server': { type: 'string' },
    'temporal-address': { type: 'string' },
  },
});
const folder = await mkdtemp(join(tmpdir(), 'docent-cluster-'));
// Postgres runs as a user of its own if this runs as root.
await chmod(folder, 0o711);
const stopped = untilStopped();
let failed = false;
try {
  const cluster = await startCluster({
    folder,
    apis: Number(values.apis),
    workers: Number(values.workers),
    port: Number(values.port),
    cacheFolder: defaultCacheFolder(),
    env: process.env,
    ...(values['temporal-server'] && { temporalServer: values['temporal-server'] }),
    ...(values['temporal-address'] && { temporalAddress: values['temporal-address'] }),
    notify: sentence => console.error(sentence),
  });
  print(cluster);
  await stopped;
  console.log('\nStopping … Ctrl-C again stops at once.');
  await cluster.stop();
} catch (error) {
  failed = true;
  console.error(describeFailure(error).text);
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);

function print({ url, temporalVersion, temporalAddress, databaseUrl, envFile, pids }: Cluster) {
  console.log(`
Docent is ready at ${url}

  Processes   ${Object.keys(pids).join(', ')}, proxy
  Temporal    ${temporalVersion} on Postgres, ${temporalAddress}
  Postgres    ${databaseUrl.replace(/:[^:@]+@/, ':…@')}
  Logs        ${join(envFile, '..', 'logs')}

Add a project and create a key:

  alias docent='node --env-file=${envFile} bin/docent.mjs'
  docent project add Acme --repository PATH_OR_ADDRESS
  docent key create --kind admin

Ctrl-C stops everything and removes its files.`);
}
