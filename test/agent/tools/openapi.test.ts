import { readFileSync } from 'node:fs';
import type { ToolResult } from '../../../agent/tools/tool.ts';
import { call, toolContext } from './context.ts';

const API = `openapi: 3.1.0
info: { title: Shop, version: '2' }
servers: [{ url: https://api.example.com }]
paths:
  /users/{id}:
    parameters: [{ $ref: '#/components/parameters/Id' }]
    get:
      operationId: getUser
      summary: Get a user
      tags: [people]
      responses:
        '200':
          description: The user
          headers: { X-RateLimit-Limit: { $ref: 'common.yaml#/headers/Limit' } }
          content: { application/json: { schema: { $ref: '#/components/schemas/User' } } }
    delete: { operationId: removeUser, deprecated: true, summary: "Get\\nrid", responses: {} }
  /orders: { $ref: 'paths/orders.yaml' }
components:
  parameters: { Id: { name: id, in: path, required: true, schema: { type: string } } }
  schemas:
    User:
      type: object
      properties:
        name: { type: string, minLength: 3 }
        friend: { $ref: '#/components/schemas/User' }
`;
const FILES = {
  'docs/guide.md': '# Guide\n',
  'docs/docs.json': '{"name": "Docs", "openapi": "api/openapi.yaml"}',
  'api/openapi.yaml': API,
  'api/common.yaml':
    'headers:\n  Limit:\n    description: Requests per minute\n    schema: { type: integer }\n',
  'api/paths/orders.yaml':
    'post:\n  summary: Place an order\n  requestBody:\n    content:\n      application/json:\n' +
    "        schema: { $ref: '../openapi.yaml#/components/schemas/User' }\n  responses: {}\n",
};
const ask = (input: object, files: Record<string, string> = FILES): Promise<ToolResult> =>
  call(toolContext(files), 'read_openapi', input);

describe('read_openapi', () => {
  it('lists what the only description has, also in other files', async () => {
    const { content, isError, summary } = await ask({});
    expect(isError).toBeUndefined();
    expect(content.split('\n')).toEqual([
      'api/openapi.yaml: Shop, version 2',
      'Servers: https://api.example.com',
      '3 operations:',
      'GET /users/{id} [getUser]: Get a user',
      'DELETE /users/{id} [removeUser] (deprecated): Get rid',
      'POST /orders: Place an order',
      '1 schema: User',
    ]);
    expect(summary).toBe('api/openapi.yaml: 3 operations');
  });

  it.each(['GET /users/{userId}', 'get /users/:id', 'getUser'])(
    'shows %s with its references resolved once, and circles left as they are',
    async operation => {
      const { content } = await ask({ path: 'api/openapi.yaml', operation });
      expect(content).toContain('in: path');
      expect(content).toContain('X-RateLimit-Limit:');
      expect(content).toContain('description: Requests per minute');
      expect(content).toContain('$ref: api/common.yaml#/headers/Limit');
      expect(content).toContain('minLength: 3');
      expect(content.match(/minLength/g)).toHaveLength(1);
      expect(content.match(/#\/components\/schemas\/User/g)).toHaveLength(2);
      expect(content).toContain('url: https://api.example.com');
    },
  );

  it('resolves what leads from another file back into the first', async () => {
    const { content } = await ask({ operation: '/orders' });
    expect(content).toContain('minLength: 3');
    expect((await ask({ schema: '#/components/schemas/User' })).content).toContain('minLength: 3');
  });

  it('finds by words of names first, then of what is said', async () => {
    const { content } = await ask({ query: 'rate limit users' });
    expect(content.split('\n').slice(0, 3)).toEqual([
      'api/openapi.yaml: 3 operations with these words, best first:',
      'GET /users/{id} [getUser]: Get a user',
      'DELETE /users/{id} [removeUser] (deprecated): Get rid',
    ]);
    expect(content).toContain('Schemas: User');
    const named = await ask({ query: 'get' });
    expect(named.content.split('\n')[1]).toContain('GET /users/{id}');
    const removed = await ask({ query: 'remove get' });
    expect(removed.content.split('\n')[1]).toContain('DELETE /users/{id}');
  });

  it.each([
    [{ operation: '/users/{id}' }, 'several operations. Name one: GET /users/{id}, DELETE'],
    [{ operation: 'GET /user/{id}' }, 'Did you mean GET /users/{id}'],
    [{ schema: 'Users' }, 'has no schema Users. Did you mean User?'],
    [{ query: 'warehouse' }, 'No operation or schema of api/openapi.yaml'],
    [{ path: 'docs/docs.json' }, 'docs/docs.json is not an OpenAPI description'],
    [{ path: 'api/none.yaml' }, 'There is no file api/none.yaml'],
  ])('says what is wrong with %j', async (input, message) => {
    const { content, isError } = await ask(input);
    expect(isError).toBe(true);
    expect(content).toContain(message);
  });

  it('says which descriptions there are, or that there is none', async () => {
    const two = await ask({}, { ...FILES, 'old/swagger.json': '{"swagger": "2.0"}' });
    expect(two.content).toContain('Name one as path: api/openapi.yaml, old/swagger.json.');
    expect((await ask({}, { 'docs/a.md': '' })).content).toContain('No OpenAPI description');
  });

  it('stays within its bound, by leaving deeper references as they are', async () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [
        `S${i}`,
        {
          description: 'x'.repeat(300),
          properties: { a: { $ref: `#/components/schemas/S${i + 1}` }, b: { type: 'null' } },
        },
      ]),
    );
    const all = {
      properties: Object.fromEntries(
        Object.keys(schemas).map(name => [name, { $ref: `#/components/schemas/${name}` }]),
      ),
    };
    const text = JSON.stringify({
      openapi: '3.0.0',
      paths: {},
      components: { schemas: { ...schemas, All: all } },
    });
    const { content } = await ask({ schema: 'All' }, { 'docs/openapi.json': text });
    expect(content.length).toBeLessThan(26_000);
    expect(content).toContain('Not written out: #/components/schemas/S0');
  });

  it('ends at a hostile description', async () => {
    const nested = `{"openapi":"3.0.0","paths":{},"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const { content, isError } = await ask({}, { 'openapi.json': nested });
    expect(isError).toBe(true);
    expect(content).toContain('openapi.json cannot be read');
  });

  it('reads the description of this product', async () => {
    const own = readFileSync('docs/openapi.json', 'utf8');
    const { content } = await ask({ query: 'create job' }, { 'docs/openapi.json': own });
    expect(content).toContain('POST /v2/agent/{projectId}/job');
  });
});
