import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { buildApi } from '../../api/app.ts';
import { readConfig } from '../../shared/config.ts';
import { type TestDatabase, testDatabase, testTemporal } from '../support/services.ts';

const FILE = join(import.meta.dirname, '../../docs/openapi.json');

interface BodySchema {
  $ref?: string;
  properties?: Record<string, Schema>;
  required?: string[];
}
type Schema = {
  $ref?: string;
  description?: string;
  type?: unknown;
  anyOf?: object[];
  allOf?: object[];
  enum?: unknown[];
  examples?: unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
};
interface Response {
  $ref?: string;
  description: string;
  content?: Record<string, { schema: Schema; example?: unknown }>;
}
interface Operation {
  operationId?: string;
  description?: string;
  parameters?: { name: string; description?: string; example?: unknown }[];
  summary?: string;
  tags?: string[];
  deprecated?: boolean;
  security?: object[];
  requestBody?: { content: { 'application/json': { schema: BodySchema; example?: unknown } } };
  responses: Record<string, Response>;
}
interface Document {
  openapi: string;
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> };
}

let database: TestDatabase;
let connection: Connection;
let app: Awaited<ReturnType<typeof buildApi>>;
let document: Document;
beforeAll(async () => {
  database = await testDatabase();
  connection = await Connection.connect({ address: testTemporal().address });
  // With all that may be switched on, as in `docent start`: none of it is of the documented API.
  app = await buildApi({
    config: readConfig({
      DATABASE_URL: database.url,
      LOCAL_HOST_TOKEN: 'token',
      GITHUB_TOKEN: 'token',
      GITHUB_WEBHOOK_SECRET: 'secret',
    }),
    pool: database.pool,
    temporal: new Client({ connection }),
  });
  document = (await app.inject('/openapi.json')).json();
});
afterAll(async () => {
  await app.close();
  await connection.close();
  await database.close();
});

/** What a reference stands for. */
function found<T extends { $ref?: string }>(part: T): T {
  const [, , kind, name] = part.$ref?.split('/') ?? [];
  if (name === undefined) return part;
  return document.components[kind as 'schemas'][name] as T;
}

function operations(): Operation[] {
  return Object.values(document.paths).flatMap(methods => Object.values(methods));
}

it('is the one in docs/ (UPDATE_OPENAPI=1 writes it anew)', async () => {
  if (process.env.UPDATE_OPENAPI) await writeFile(FILE, `${JSON.stringify(document, null, 2)}\n`);
  expect(document).toEqual(JSON.parse(await readFile(FILE, 'utf8')));
});

it('is OpenAPI 3.1, with an entry for every documented endpoint', () => {
  expect(document.openapi).toBe('3.1.0');
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
  );
  for (const call of [
    'POST /v2/agent/{projectId}/job',
    'GET /v2/agent/{projectId}/job/{id}',
    'POST /v2/agent/{projectId}/job/{id}/message',
    'GET /v2/agent/{projectId}/jobs',
    'GET /v2/agent/{projectId}/job/{id}/messages',
    'GET /v2/agent/{projectId}/job/{id}/events',
    'GET /v2/agent/{projectId}/job/{id}/diff',
    'POST /v2/agent/{projectId}/job/{id}/cancel',
    'POST /v2/agent/{projectId}/job/{id}/archive',
    'POST /v2/agent/{projectId}/job/{id}/rewind',
    'POST /v1/agent/{projectId}/job',
    'GET /v1/agent/{projectId}/job/{id}',
    'GET /v1/agent/{projectId}/jobs',
    'POST /discovery/v2/assistant/{domain}/message',
    'POST /discovery/v1/assistant/{domain}/message',
    'POST /discovery/v1/search/{domain}',
    'POST /discovery/v1/page/{domain}',
    'GET /healthz',
    'GET /readyz',
  ])
    expect(calls).toContain(call);
});

it('describes each tag that an operation has', () => {
  const tags = new Set(operations().flatMap(one => one.tags ?? []));
  expect(new Set(document.tags.map(({ name }) => name))).toEqual(tags);
});

it('names operations in the words of the interface, each differently', () => {
  const ids = operations().map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ['createJob', 'getJob', 'sendMessage', 'listJobs', 'askAssistant', 'search'])
    expect(ids).toContain(id);
  expect(ids.filter(id => !/^[a-z][A-Za-z0-9]+$/.test(id ?? ''))).toEqual([]);
});

it('has a name for each object and each enumeration, and a kind of client can be made of it', () => {
  const { schemas } = document.components;
  for (const name of ['Job', 'JobStatus', 'Message', 'Source', 'Todo', 'Problem', 'JobEvent'])
    expect(Object.keys(schemas)).toContain(name);
  const unnamed = members().filter(
    ([, one]) =>
      one.properties !== undefined ||
      (one.enum && one.enum.length > 1) ||
      (one.anyOf?.length ?? 0) > 2,
  );
  // `true`, or its text.
  expect(unnamed.map(([name]) => name)).toEqual(['CreateSession.asDraft']);
  expect(schemas['JobStatus']?.enum).toEqual(['active', 'completed', 'failed']);
});

it('describes everything, with examples of what is sent and of what is answered', () => {
  const { schemas } = document.components;
  for (const [name, one] of [...Object.entries(schemas), ...members()])
    expect([name, found(one).description]).toEqual([name, expect.stringMatching(/\S/)]);
  for (const {
    operationId,
    description,
    parameters = [],
    requestBody,
    responses,
  } of operations()) {
    expect([operationId, description]).toEqual([operationId, expect.stringMatching(/\.|\?/)]);
    for (const { name, description: said, example } of parameters)
      expect([operationId, name, typeof said, example === undefined]).toEqual([
        ...[operationId, name, 'string', false],
      ]);
    const json = [requestBody, responses['200'], responses['201']].flatMap(
      one => one?.content?.['application/json'] ?? [],
    );
    for (const { schema, example } of json as { schema: Schema; example?: unknown }[])
      expect([operationId, example ?? found(schema).examples]).toEqual([
        operationId,
        expect.anything(),
      ]);
  }
});

/** The members of all named objects. */
function members(): [string, Schema][] {
  return Object.entries(document.components.schemas).flatMap(([name, { properties = {} }]) =>
    Object.entries(properties).map(([member, one]): [string, Schema] => [`${name}.${member}`, one]),
  );
}

it('begins with creating a job, then what is done with one', () => {
  const [first, ...others] = Object.keys(document.paths).filter(path =>
    path.startsWith('/v2/agent'),
  );
  expect([first, others.at(-1)]).toEqual([
    '/v2/agent/{projectId}/job',
    '/v2/agent/{projectId}/job/{id}/rewind',
  ]);
});

it('says of every operation what it is, who may call it and how it fails', () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const name = `${method} ${path}`;
      expect([name, operation.summary, operation.tags]).toEqual([
        name,
        expect.any(String),
        [expect.any(String)],
      ]);
      expect([name, operation.deprecated ?? false]).toEqual([
        name,
        path.startsWith('/v1/agent/') || path === '/discovery/v1/assistant/{domain}/message',
      ]);
      expect(/Deprecated since 2026-11-21\. Use `\w+`\./.test(operation.description ?? '')).toBe(
        operation.deprecated ?? false,
      );
      if (path.includes('{')) {
        expect([name, operation.security]).toEqual([
          name,
          !path.startsWith('/discovery')
            ? [{ adminKey: [] }]
            : // Of public projects, what is read needs no key.
              [{ assistantKey: [] }, ...(/^get (?!.*\/thread\/)/.test(name) ? [{}] : [])],
        ]);
        for (const status of ['401', '403', '404', '429', '500', '503']) {
          expect([
            name,
            status,
            Object.keys(found(operation.responses[status]!).content ?? {}),
          ]).toEqual([name, status, ['application/problem+json']]);
        }
      }
    }
  }
});

it('lists what a body may be refused for wherever one can be sent', () => {
  const posts = Object.entries(document.paths).flatMap(([path, { post }]) =>
    post ? [{ path, statuses: Object.keys(post.responses) }] : [],
  );
  expect(
    posts.filter(
      ({ statuses }) => !['400', '413', '415'].every(status => statuses.includes(status)),
    ),
  ).toEqual([]);
});

it('declares null for optional members of a body, and that no text contains U+0000', () => {
  const bodies = Object.values(document.paths).flatMap(({ post }) =>
    found(post?.requestBody?.content['application/json'].schema ?? {}),
  );
  expect(bodies.length).toBeGreaterThan(5);
  const none = { pattern: '^[^\\u0000]*$' };
  for (const { properties = {}, required = [] } of bodies)
    for (const [name, member] of Object.entries(properties)) {
      const isUnknown = member.type === undefined && member.anyOf === undefined;
      const takesNull = isUnknown || /"null"/.test(JSON.stringify([member.type, member.anyOf]));
      expect([name, takesNull]).toEqual([name, !required.includes(name)]);
      if ([member.type].flat().includes('string') && !member.enum)
        expect([name, [member, ...(member.allOf ?? [])]]).toEqual([
          name,
          expect.arrayContaining([expect.objectContaining(none)]),
        ]);
    }
});
