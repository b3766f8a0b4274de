// Makes schemas.json anew from GitHub's OpenAPI description, which the npm package @octokit/openapi
// carries (MIT; 400 MB unpacked):
//   node --import tsx test/hosts/github/published/extract.mts generated/api.github.com.json
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What Docent calls, and nothing else. */
const OPERATIONS = [
  'GET /app',
  'GET /app/installations/{installation_id}',
  'POST /app/installations/{installation_id}/access_tokens',
  'GET /user/installations',
  'GET /user/installations/{installation_id}/repositories',
  'GET /user/repos',
  'GET /installation/repositories',
  'DELETE /applications/{client_id}/token',
  'GET /repos/{owner}/{repo}',
  'GET /repos/{owner}/{repo}/installation',
  'GET /repos/{owner}/{repo}/collaborators/{username}/permission',
  'GET /repos/{owner}/{repo}/branches',
  'GET /repos/{owner}/{repo}/branches/{branch}',
  'GET /repos/{owner}/{repo}/git/trees/{tree_sha}',
  'GET /repos/{owner}/{repo}/compare/{basehead}',
  'GET /repos/{owner}/{repo}/pulls',
  'POST /repos/{owner}/{repo}/pulls',
  'GET /repos/{owner}/{repo}/pulls/{pull_number}',
  'PATCH /repos/{owner}/{repo}/pulls/{pull_number}',
  'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
  'GET /repos/{owner}/{repo}/pulls/{pull_number}/comments',
  'GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews',
  'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
  'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}',
  'POST /repos/{owner}/{repo}/issues/{issue_number}/labels',
  'POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers',
  'GET /repos/{owner}/{repo}/deployments',
  'GET /repos/{owner}/{repo}/deployments/{deployment_id}/statuses',
  'GET /repos/{owner}/{repo}/commits/{ref}/status',
];
/** Say nothing of what is valid. */
const WORDS = new Set([
  'description',
  'title',
  'example',
  'examples',
  'x-github-breaking-changes',
  'deprecated',
  'externalDocs',
  'default',
  'discriminator',
]);

interface Json {
  [name: string]: Json | undefined;
}
const document = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Json;
const schemas: Record<string, unknown> = {};

const at = (ref: string): Json =>
  ref
    .split('/')
    .slice(1)
    .reduce<Json>((found, name) => found[name] ?? {}, document);
const resolved = (value: Json = {}): Json =>
  typeof value['$ref'] === 'string' ? at(value['$ref']) : value;
const schemaOf = (message: Json | undefined): unknown =>
  plain(resolved(message)['content']?.['application/json']?.['schema'] ?? {});

/**
 * The schema without words; what it refers to is taken along. `properties` may well be named as a
 * word is.
 */
function plain(value: unknown, names = false): unknown {
  if (Array.isArray(value)) return value.map(each => plain(each));
  if (value === null || typeof value !== 'object') return value;
  const { $ref: ref } = value as { $ref?: string };
  if (typeof ref === 'string') {
    const name = ref.split('/').at(-1) as string;
    if (!(name in schemas)) {
      schemas[name] = {};
      schemas[name] = plain(at(ref));
    }
    return { $ref: `github#/schemas/${name}` };
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => names || !WORDS.has(name))
      .map(([name, each]) => [name, plain(each, name === 'properties' && !names)]),
  );
}

const operations = Object.fromEntries(
  OPERATIONS.map(operation => {
    const [method = '', path = ''] = operation.split(' ');
    const found = document['paths']?.[path]?.[method.toLowerCase()];
    if (!found) throw new Error(`GitHub has no ${operation}`);
    const answers = Object.entries(found['responses'] ?? {})
      .filter(([status, answer]) => status === '204' || resolved(answer)['content'])
      .map(([status, answer]) => [status, schemaOf(answer)]);
    return [
      operation,
      {
        ...(found['requestBody'] && { request: schemaOf(found['requestBody']) }),
        answers: Object.fromEntries(answers) as unknown,
      },
    ];
  }),
);
const lines = (table: Record<string, unknown>): string =>
  Object.entries(table)
    .map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(',\n');
const { version } = document['info'] as unknown as { version: string };
const source = `@octokit/openapi ${version}, api.github.com`;
writeFileSync(
  join(import.meta.dirname, 'schemas.json'),
  `{\n  "source": ${JSON.stringify(source)},\n  "operations": {\n${lines(operations)}\n  },\n  "schemas": {\n${lines(schemas)}\n  }\n}\n`,
);
