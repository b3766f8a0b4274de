import { parseArgs } from 'node:util';
import { listeningLine } from '../shared/agent-text.ts';
import { startOfflineModel } from './server.ts';

/** `tsx main.ts [--host HOST] [--port PORT]`: serves until SIGINT or SIGTERM. */
const { values } = parseArgs({
  options: { host: { type: 'string' }, port: { type: 'string', default: '0' } },
});
const model = await startOfflineModel({
  ...(values.host && { host: values.host }),
  port: Number(values.port),
});
console.log(listeningLine(model.url));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void model.close());
