// One of several API processes over the same database, as `docent api` runs them: tests and
// bench/assistant.ts fork it.
import type { AddressInfo } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { buildApi } from '../../../api/app.ts';
import { keepHeapTight, listen } from '../../../api/listen.ts';
import { readConfig } from '../../../shared/config.ts';
import { openPool } from '../../../db/pool.ts';

const config = readConfig(JSON.parse(process.argv[2]!) as Record<string, string>);
const pool = openPool({ connectionString: config.DATABASE_URL!, max: config.DATABASE_POOL_SIZE });
const app = await buildApi({
  config,
  pool,
  temporal: new Client({ connection: Connection.lazy({ address: '127.0.0.1:1' }) }),
});
keepHeapTight();
await listen(app, { host: '127.0.0.1', port: 0 });
process.send!(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
process.on('message', () => process.send!(process.memoryUsage().rss)); // asked for its memory
process.on('disconnect', () => process.exit());
