import { operationText } from '../../../sites/openapi/operation-text.ts';
import { readApiDescription } from '../../../sites/openapi/operations.ts';

/** The text of all operations. */
function textOf(description: string | object): string {
  const text = typeof description === 'string' ? description : JSON.stringify(description);
  const api = readApiDescription(text);
  return api?.operations.map(operation => operationText(operation, api)).join('\n\n') ?? '';
}
const head = { openapi: '3.1.0', info: { title: 'T' } };

it('values of YAML that contain themselves are left out', () => {
  const text = textOf(`openapi: 3.1.0
paths:
  /a:
    post:
      parameters: [{name: q, in: query, schema: {type: string, default: &y {a: [*y]}}}]
      requestBody: {content: {application/json: {schema: {example: &x {a: [*x]}}}}}
`);
  expect(text).toContain('- `q` (query, string)');
  expect(text).toContain('-d @body.json');
});

it('a type of twenty choices, each of them itself, takes no time', () => {
  const any = { $ref: '#/components/schemas/Any' };
  const began = performance.now();
  const text = textOf({
    ...head,
    paths: { '/a': { get: { parameters: [{ name: 'q', in: 'query', schema: any }] } } },
    components: {
      schemas: { Any: { type: 'string', oneOf: Array.from({ length: 20 }, () => any) } },
    },
  });
  expect(text).toContain('- `q` (query, string)');
  expect(performance.now() - began).toBeLessThan(2_000);
});

it('a huge example that all operations share is not repeated', () => {
  const body = { content: { 'application/json': { schema: { example: 'x'.repeat(100_000) } } } };
  const post = { requestBody: { $ref: '#/components/requestBodies/Body' } };
  const paths = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`/${i}`, { post }]));
  const text = textOf({ ...head, paths, components: { requestBodies: { Body: body } } });
  expect(text.split('-d @body.json')).toHaveLength(201);
  expect(text.length).toBeLessThan(100_000);
});
