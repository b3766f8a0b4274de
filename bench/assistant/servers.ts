import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { migrate } from '../../db/migrate.ts';
import { createOrganization } from '../../db/people/organizations.ts';
import { openPool } from '../../db/pool.ts';
import { createKey } from '../../db/projects/keys.ts';
import { createProject } from '../../db/projects/projects.ts';
import { indexPages } from '../../search/indexing/build-index.ts';
import { sampleDocs } from '../../test/api/assistant/sample-docs.ts';
import { memorySnapshot } from '../../test/support/memory-snapshot.ts';
import { begin, type Target } from './read-stream.ts';

const QUESTION = 'How do I archive a job?';

export interface Servers {
  api: ChildProcess;
  modelProcess: ChildProcess;
  model: Target;
  assistant: Target;
}

/** The model and the assistant, each in a process of its own, while `work` runs. */
export async function withServers<T>(
  databaseUrl: string,
  key: string,
  speed: object,
  work: (servers: Servers) => Promise<T>,
): Promise<T> {
  const model = await startModelProcess(speed);
  const api = await startProcess('../../test/api/assistant/serve.ts', {
    DATABASE_URL: databaseUrl,
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'bench',
    MODEL_FEATURES: 'all',
    LOG_LEVEL: 'silent',
    ASSISTANT_MAX_STREAMS_PER_KEY: '3000',
    ASSISTANT_MAX_STREAMS: '3000',
  });
  try {
    const assistant: Target = {
      url: `${api.url}/discovery/v2/assistant/bench/message`,
      end: 'data: [DONE]\n\n',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        fp: 'anonymous',
        messages: [{ role: 'user', parts: [{ type: 'text', text: QUESTION }] }],
      }),
    };
    for (let i = 0; i < 10; i++) await begin(assistant); // compiled, connected, cached
    return await work({
      api: api.child,
      modelProcess: model.child,
      assistant,
      model: model.target,
    });
  } finally {
    api.child.kill();
    model.child.kill();
  }
}

/** A model of that speed (bench/assistant/model.ts), and how to call it without the assistant. */
export async function startModelProcess(
  speed: object,
): Promise<{ child: ChildProcess; url: string; target: Target }> {
  const { child, url } = await startProcess('model.ts', speed);
  const end = '"message_stop"}\n\n';
  return { child, url, target: { url, headers: {}, body: '{}', end } };
}

async function startProcess(
  script: string,
  argument: object,
): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(join(import.meta.dirname, script), [JSON.stringify(argument)], {
    execArgv: ['--import', 'tsx'],
  });
  const [url] = (await once(child, 'message')) as [string];
  return { child, url };
}

/** A project with the sample docs in the index; returns its assistant key. */
export async function prepare(databaseUrl: string): Promise<string> {
  const pool = openPool({ connectionString: databaseUrl });
  await migrate(pool);
  const { id: organizationId } = await createOrganization(pool, { slug: 'bench', name: 'Bench' });
  const project = await createProject(pool, {
    organizationId,
    name: 'Bench',
    domain: 'bench',
    host: 'local',
    repository: 'bench',
    repositoryUrl: 'http://localhost/bench.git',
    baseRef: 'main',
    docsFolder: 'docs',
  });
  await indexPages(pool, project.id, {
    snapshot: memorySnapshot(sampleDocs()),
    docsFolder: 'docs',
  });
  const { token } = await createKey(pool, {
    organizationId,
    projectId: project.id,
    kind: 'assistant',
    name: 'bench',
  });
  await pool.end();
  return token;
}
