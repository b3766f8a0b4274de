import Anthropic from '@anthropic-ai/sdk';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOfflineModel } from '../../cli/embedded/offline-model.ts';
import { OFFLINE_MODEL } from '../../shared/agent-text.ts';

it('runs as a child process that answers over HTTP and ends when it is told to', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docent-offline-'));
  const logFile = join(folder, 'logs', 'offline-model.log');
  const model = await startOfflineModel({ logFile, host: '127.0.0.1' });
  try {
    const client = new Anthropic({ apiKey: 'offline', baseURL: model.url, maxRetries: 0 });
    const message = await client.messages.create({
      model: OFFLINE_MODEL,
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Hello' }],
    });
    expect(message).toMatchObject({ model: OFFLINE_MODEL, stop_reason: 'end_turn' });
    expect(await readFile(logFile, 'utf8')).toContain(model.url);
  } finally {
    await model.stop();
    await rm(folder, { recursive: true });
  }
  await model.exited;
  await expect(fetch(model.url)).rejects.toThrow('fetch failed');
});
