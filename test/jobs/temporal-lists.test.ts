import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { Connection } from '@temporalio/client';
import { freePort } from '../../cli/embedded/ports.ts';
import { SEARCH_ATTRIBUTE_TYPES } from '../../shared/jobs/attribute-names.ts';
import { makeAttributes } from '../../shared/jobs/search-attributes.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { EDIT, finish } from '../support/replies.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import { testTemporal, testTemporalCli } from '../support/services.ts';
import { until } from '../support/until.ts';

const FILES = { 'docs/guide.md': '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n' };
let script: ScriptedReply[] = [];
let stack: JobStack;
const begin = (temporalAddress = testTemporal().address) =>
  startJobStack({
    files: FILES,
    script: () => script.shift() ?? { text: 'Nothing more.' },
    temporalAddress,
  });

/** The ids that `temporal workflow list` shows. */
async function listed(query: string, address = testTemporal().address): Promise<string[]> {
  const { stdout } = await promisify(execFile)(testTemporalCli(), [
    ...['workflow', 'list', '--address', address, '--query', query, '-o', 'json'],
  ]);
  return (JSON.parse(stdout) as { execution: { workflowId: string } }[]).map(
    ({ execution }) => execution.workflowId,
  );
}

const isListed = (id: string, query: string, address?: string) =>
  until(query, async () => (await listed(query, address)).includes(id));

describe('Temporal’s lists', () => {
  beforeAll(async () => {
    stack = await begin();
  });
  afterAll(() => stack.close());

  it('find a job by words of its instruction, then of its title, and by its outcome', async () => {
    script = [{ text: 'Which one?' }];
    const { id } = await stack.create('Explain the heliograph to people');
    await stack.rest(id);
    await isListed(id, 'DocentTitle="heliograph" AND DocentOutcome="answered"');

    script = [EDIT, finish('Describe signal mirrors')];
    await stack.message(id, 'The big one');
    await stack.rest(id);
    await isListed(id, 'DocentTitle="mirrors" AND DocentOutcome="published"');
    expect(await listed(`DocentTitle="heliograph" AND WorkflowId="${id}"`)).toEqual([]);
  });
});

describe('a server without our search attributes', () => {
  let server: ChildProcess;
  let address: string;
  beforeAll(async () => {
    address = `127.0.0.1:${await freePort('127.0.0.1')}`;
    server = spawn(
      testTemporalCli(),
      ['server', 'start-dev', '--headless', '--port', address.split(':')[1]!],
      { stdio: 'ignore' },
    );
    await until(
      'it answers',
      () =>
        Connection.connect({ address, connectTimeout: '1s' }).then(
          async connection => {
            await connection.close();
            return true;
          },
          () => false,
        ),
      60_000,
    );
    stack = await begin(address);
  }, 90_000);
  afterAll(async () => {
    await stack?.close();
    const ended = new Promise(resolve => server.once('exit', resolve));
    server.kill('SIGTERM');
    await ended;
  });

  it('runs jobs; it gets them, and lists the next job by them', async () => {
    script = [EDIT, finish('Describe signal mirrors')];
    const { id } = await stack.create('Say second');
    expect(await stack.rest(id)).toMatchObject({ status: 'completed' });
    await expect(listed('DocentTitle="mirrors"', address)).rejects.toThrow();

    await makeAttributes(stack.temporal);
    const connection = await Connection.connect({ address });
    const { customAttributes } = await connection.operatorService.listSearchAttributes({
      namespace: 'default',
    });
    await connection.close();
    expect(Object.keys(customAttributes ?? {})).toEqual(
      expect.arrayContaining(Object.keys(SEARCH_ATTRIBUTE_TYPES)),
    );

    script = [{ text: 'Which one?' }];
    const next = await stack.create('Explain the heliograph to people');
    expect(await stack.rest(next.id)).toMatchObject({ status: 'completed' });
    await isListed(next.id, 'DocentTitle="heliograph" AND DocentOutcome="answered"', address);
    // The one before goes on without them.
    await stack.message(id, 'Are you there?');
    expect(await stack.rest(id)).toMatchObject({ status: 'completed' });
  }, 120_000);
});
