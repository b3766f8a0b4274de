import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../cli/embedded/ports.ts';
import { startDocent, temporaryFolder } from '../support/docent.ts';
import { startJobStack } from '../support/job-stack.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';

const STEPS = 12;
const FILES = { 'docs/index.md': `---\ntitle: Welcome\n---\n\n# Welcome\n\n${Array.from({ length: STEPS }, (_, i) => `Line ${i}.`).join('\n\n')}\n` };

it('a reader of a v1 create stream loses no line and gets none twice when the API process dies', async () => {
  let n = 0;
  const stack = await startJobStack({
    files: FILES,
    script: (): ScriptedReply => {
      const i = n++;
      if (i === STEPS) return { delayMs: 150, toolUses: [{ name: 'finish', input: { title: 'Number the lines', body: 'As asked.', message: 'Done.' } }] };
      return { delayMs: 150, text: `Step ${i}.`, toolUses: [{ name: 'str_replace_based_edit_tool', input: { command: 'str_replace', path: 'docs/index.md', old_str: `Line ${i}.`, new_str: `Number ${i}.` } }] };
    },
  });
  const folder = await temporaryFolder();
  const port = await freePort('127.0.0.1');
  const { config } = stack;
  const doomed = startDocent(folder, ['api'], {
    DATABASE_URL: stack.databaseUrl, TEMPORAL_ADDRESS: config.TEMPORAL_ADDRESS ?? '', TASK_QUEUE: config.TASK_QUEUE, PORT: String(port), ANTHROPIC_API_KEY: 'sk-ant-test-not-a-real-key',
  });
  try {
    while (!(await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok) await sleep(100);
    const headers = { authorization: `Bearer ${stack.adminKey}`, 'content-type': 'application/json' };
    const created = await fetch(`http://127.0.0.1:${port}/v1/agent/${stack.project.id}/job`, {
      method: 'POST', headers, body: JSON.stringify({ messages: [{ role: 'user', content: 'Number the lines', parts: [{ type: 'text', text: 'Number the lines' }] }] }),
    });
    const jobId = created.headers.get('x-session-id') ?? '';
    let text = '';
    const reading = (async () => {
      for await (const chunk of created.body ?? []) {
        text += Buffer.from(chunk).toString();
        if ((text.match(/"type":"event"/g) ?? []).length >= 4) doomed.process.kill('SIGKILL');
      }
    })();
    await expect(reading).rejects.toThrow();

    // What a reader keeps: everything up to the last position that it was told.
    const lines = text.split('\n').filter(Boolean);
    const at = lines.findLastIndex(line => line.includes('"type":"event"'));
    const position = (JSON.parse(lines[at]?.slice(2) ?? '[]') as { id: number }[])[0]?.id ?? 0;
    expect(position).toBeGreaterThan(0);
    const kept = lines.slice(0, at).filter(line => line.startsWith('9:')).map(line => (JSON.parse(line.slice(2)) as { toolCallId: string }).toolCallId);

    const rest = await (await fetch(`${stack.baseUrl}/v2/agent/${stack.project.id}/job/${jobId}/events`, { headers: { ...headers, 'last-event-id': String(position) } })).text();
    const resumed = [...rest.matchAll(/^data: (.*)$/gm)].map(match => JSON.parse(match[1] ?? '') as { type: string; toolCallId?: string });
    const later = resumed.filter(event => event.type === 'tool_call').map(event => event.toolCallId);
    const { rows } = await stack.pool.query<{ id: string }>(`select data ->> 'toolCallId' as id from job_events where job_id = $1 and type = 'tool_call' order by seq`, [jobId]);
    expect(kept.length).toBeGreaterThan(0);
    expect(later.length).toBeGreaterThan(0);
    expect([...kept, ...later]).toEqual(rows.map(row => row.id));
    expect(resumed.at(-1)?.type).toBe('finish');
    expect(await stack.rest(jobId)).toMatchObject({ status: 'completed', prLink: expect.any(String) });
  } finally {
    doomed.process.kill('SIGKILL');
    await doomed.ended;
    await stack.close();
    await rm(folder, { recursive: true, force: true });
  }
}, 90_000);
