import type { AddressInfo } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { buildApi } from '../../../api/app.ts';
import type { Embed } from '../../../search/embed.ts';
import { readConfig } from '../../../shared/config.ts';
import { createKey, type NewKey } from '../../../db/projects/keys.ts';
import { createOrganization } from '../../../db/people/organizations.ts';
import type { Pool } from '../../../db/pool.ts';
import { createProject, type Project } from '../../../db/projects/projects.ts';
import { indexPages } from '../../../search/indexing/build-index.ts';
import { memorySnapshot } from '../../support/memory-snapshot.ts';
import {
  type ScriptedModel,
  type Script,
  startScriptedModel,
} from '../../support/scripted-model.ts';
import { testDatabase } from '../../support/services.ts';

/** A small docs site: enough for a search to find something and to miss something. */
export const SITE: Record<string, string> = {
  'docs/index.md': '---\ntitle: Overview\n---\nAcme waters your plants.\n',
  'docs/install.md':
    '---\ntitle: Installation\n---\nAcme runs on a pump.\n\n## With npm\n\nRun `npm install acme` to install the pump driver.\n\n## With Docker\n\nPull the image `acme/pump` to install it in a container.\n',
  'docs/schedule.md':
    '---\ntitle: Schedules\n---\nA schedule says when the pump waters.\n\n## Pause a schedule\n\nRun `acme pause` to pause a schedule. Run `acme resume` to undo a pause.\n',
  'docs/billing.md':
    '---\ntitle: Billing\ngroups: [staff]\n---\nInstall the billing pump for staff only.\n',
  'ASSISTANT.md': 'Call the reader gardener.\n',
};

export interface TestAssistant {
  app: FastifyInstance;
  url: string;
  pool: Pool;
  /** For processes of a test's own. */
  databaseUrl: string;
  model: ScriptedModel;
  project: Project;
  key: string;
  keyId: string;
  createKey(key?: Partial<NewKey>): Promise<{ token: string; id: string }>;
  /** A POST with the assistant key; `body` is completed to a valid one. */
  post(
    path: string,
    body?: object,
    options?: { key?: string; headers?: Record<string, string>; signal?: AbortSignal },
  ): Promise<Response>;
  ask(
    body?: object | string,
    options?: { key?: string; headers?: Record<string, string>; query?: string },
  ): Promise<Answer>;
  close(): Promise<void>;
}

export interface Chunk {
  type: string;
  [member: string]: unknown;
}

/** A v2 answer, read to its end. */
export interface Answer {
  status: number;
  headers: Headers;
  raw: string;
  chunks: Chunk[];
  text: string;
  sources: { url: string; title: string }[];
  threadId: string;
}

/**
 * The API on a port of its own, over a fresh database with `SITE` indexed, and a model that plays
 * `script`.
 */
export async function startAssistant(
  script: Script,
  settings: Record<string, string> = {},
  pages = SITE,
  logger?: FastifyBaseLogger,
  embed?: Embed,
): Promise<TestAssistant> {
  const database = await testDatabase();
  const model = await startScriptedModel(script);
  const config = readConfig({
    DATABASE_URL: database.url,
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'test',
    MODEL_FEATURES: 'all',
    ...settings,
  });
  const connection = Connection.lazy({ address: '127.0.0.1:1' }); // the assistant does not need Temporal
  const app = await buildApi({
    config,
    pool: database.pool,
    temporal: new Client({ connection }),
    ...(logger && { logger }),
    embed,
  });
  const { project, organizationId } = await createSite(database.pool, pages);
  const newKey = async (key: Partial<NewKey> = {}) => {
    const made = await createKey(database.pool, {
      organizationId,
      projectId: project.id,
      kind: 'assistant',
      name: 'test',
      ...key,
    });
    return { token: made.token, id: made.key.id };
  };
  const key = await newKey();
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const post: TestAssistant['post'] = (path, body = {}, options = {}) =>
    fetch(url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${options.key ?? key.token}`,
        'content-type': 'application/json',
        ...options.headers,
      },
      body: JSON.stringify(body),
      ...(options.signal && { signal: options.signal }),
    });
  return {
    app,
    url,
    pool: database.pool,
    databaseUrl: database.url,
    model,
    project,
    key: key.token,
    keyId: key.id,
    createKey: newKey,
    post,
    ask: async (body = 'How do I install it?', options = {}) =>
      read(
        await post(
          `/discovery/v2/assistant/${project.domain}/message${options.query ?? ''}`,
          {
            fp: 'anonymous',
            messages: [question(typeof body === 'string' ? body : 'How do I install it?')],
            ...(typeof body === 'object' && body),
          },
          options,
        ),
      ),
    close: async () => {
      await app.close();
      await model.close();
      await database.close();
    },
  };
}

export function question(text: string, id = 'u1') {
  return { id, role: 'user', parts: [{ type: 'text', text }] };
}

/** Locks a table against everybody; returns what unlocks it. */
export async function lockTable(pool: Pool, table: string): Promise<() => Promise<void>> {
  const client = await pool.connect();
  await client.query('begin');
  await client.query(`lock table ${table} in access exclusive mode`);
  return async () => {
    await client.query('rollback');
    client.release();
  };
}

/** An organization with one project, both of that name, and its index. */
export async function createSite(pool: Pool, pages: Record<string, string>, name = 'acme') {
  const { id: organizationId } = await createOrganization(pool, { slug: name, name });
  const project = await createProject(pool, {
    organizationId,
    name,
    domain: name,
    host: 'local',
    repository: name,
    repositoryUrl: `http://localhost/git/${name}.git`,
    baseRef: 'main',
    docsFolder: 'docs',
    siteUrl: `https://docs.${name}.test`,
  });
  await indexPages(pool, project.id, { snapshot: memorySnapshot(pages), docsFolder: 'docs' });
  return { organizationId, project };
}

export async function read(response: Response): Promise<Answer> {
  const raw = await response.text();
  const chunks = raw
    .split('\n\n')
    .filter(frame => frame.startsWith('data: {'))
    .map(frame => JSON.parse(frame.slice(6)) as Chunk);
  const metadata = (chunks[0]?.['messageMetadata'] ?? {}) as { threadId?: string };
  return {
    status: response.status,
    headers: response.headers,
    raw,
    chunks,
    text: chunks
      .filter(chunk => chunk.type === 'text-delta')
      .map(chunk => chunk['delta'] as string)
      .join(''),
    sources: chunks
      .filter(chunk => chunk.type === 'source-url')
      .map(({ url, title }) => ({ url: url as string, title: title as string })),
    threadId: metadata.threadId ?? '',
  };
}
