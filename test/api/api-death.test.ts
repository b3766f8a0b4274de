import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../cli/embedded/ports.ts';
import type { JobEvent } from '../../shared/jobs/job.ts';
import { startDocent, temporaryFolder } from '../support/docent.ts';
import { startJobStack } from '../support/job-stack.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';

const STEPS = 12;
const FILES = {
  'docs/index.md': `---\ntitle: Welcome\n---\n\n# Welcome\n\n${Array.from({ length: STEPS }, (_, i) => `Line ${i}.`).join('\n\n')}\n`,
};

/**
 * An event as far as the data stream shows it: of what models said and did, the place in the job is
 * left out.
 */
type Streamed = { type: string } & Record<string, unknown>;

function asStreamed(event: JobEvent): Streamed {
  switch (event.type) {
    case 'text':
      return { type: 'text', text: event.text };
    case 'tool_call':
      return {
        type: 'tool_call',
        toolCallId: event.toolCallId,
        toolName: event.toolName,
        args: event.args,
      };
    case 'tool_result':
      return {
        type: 'tool_result',
        toolCallId: event.toolCallId,
        summary: event.summary,
        isError: event.isError,
      };
    default:
      return event;
  }
}

/** What a line of the stream tells; steps and positions tell nothing of the job. */
function eventsOf(line: string): Streamed[] {
  const value: unknown = JSON.parse(line.slice(2));
  switch (line[0]) {
    case '0':
      return [{ type: 'text', text: value }];
    case '9':
      return [{ type: 'tool_call', ...(value as object) }];
    case 'a': {
      const { toolCallId, result } = value as { toolCallId: string; result: object };
      return [{ type: 'tool_result', toolCallId, ...result }];
    }
    case '2':
      return (value as Streamed[]).filter(({ type }) => type !== 'event');
    default:
      return [];
  }
}

it('a reader of a v1 create stream loses no line and gets none twice when the API process dies', async () => {
  let n = 0;
  const stack = await startJobStack({
    files: FILES,
    script: (): ScriptedReply => {
      const i = n++;
      if (i === STEPS)
        return {
          delayMs: 150,
          toolUses: [
            {
              name: 'finish',
              input: { title: 'Number the lines', body: 'As asked.', message: 'Done.' },
            },
          ],
        };
      const edit = {
        name: 'str_replace_based_edit_tool',
        input: {
          command: 'str_replace',
          path: 'docs/index.md',
          old_str: `Line ${i}.`,
          new_str: `Number ${i}.`,
        },
      };
      const todos = {
        name: 'write_todos',
        input: {
          todos: [{ id: '1', content: `Line ${i}`, status: 'in_progress', priority: 'low' }],
        },
      };
      return { delayMs: 150, text: `Step ${i}.`, toolUses: i % 3 === 1 ? [edit, todos] : [edit] };
    },
  });
  const folder = await temporaryFolder();
  const port = await freePort('127.0.0.1');
  const { config } = stack;
  const doomed = startDocent(folder, ['api'], {
    DATABASE_URL: stack.databaseUrl,
    TEMPORAL_ADDRESS: config.TEMPORAL_ADDRESS ?? '',
    TASK_QUEUE: config.TASK_QUEUE,
    PORT: String(port),
    ANTHROPIC_API_KEY: 'sk-ant-test-not-a-real-key',
  });
  try {
    while (!(await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok)
      await sleep(100);
    const headers = {
      authorization: `Bearer ${stack.adminKey}`,
      'content-type': 'application/json',
    };
    const created = await fetch(`http://127.0.0.1:${port}/v1/agent/${stack.project.id}/job`, {
      method: 'POST',
      headers,
      body: JSON.stringify({
        messages: [
          {
            role: 'user',
            content: 'Number the lines',
            parts: [{ type: 'text', text: 'Number the lines' }],
          },
        ],
      }),
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
    const kept = lines.slice(0, at).flatMap(eventsOf);

    const rest = await (
      await fetch(`${stack.baseUrl}/v2/agent/${stack.project.id}/job/${jobId}/events`, {
        headers: { ...headers, 'last-event-id': String(position) },
      })
    ).text();
    const resumed = [...rest.matchAll(/^data: (.*)$/gm)].map(
      match => JSON.parse(match[1] ?? '') as JobEvent,
    );
    const { rows } = await stack.pool.query<{ event: JobEvent }>(
      `select data || jsonb_build_object('type', type) as event from job_events where job_id = $1 order by seq`,
      [jobId],
    );
    const stored = rows.map(({ event }) => event);
    expect(kept).toEqual(stored.slice(0, position).map(asStreamed));
    expect(resumed).toEqual(stored.slice(position));
    for (const type of ['status', 'instruction', 'text', 'tool_call', 'tool_result', 'todos'])
      expect(kept.map(event => event.type)).toContain(type);
    for (const type of ['text', 'tool_call', 'tool_result', 'todos', 'commit', 'pull_request'])
      expect(resumed.map(event => event.type)).toContain(type);
    expect(resumed.at(-1)?.type).toBe('finish');
    expect(await stack.rest(jobId)).toMatchObject({
      status: 'completed',
      prLink: expect.any(String),
    });
  } finally {
    doomed.process.kill('SIGKILL');
    await doomed.ended;
    await stack.close();
    await rm(folder, { recursive: true, force: true });
  }
}, 90_000);
