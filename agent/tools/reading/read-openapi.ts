import { Type } from '@sinclair/typebox';
import { askOpenApi, OpenApiError } from '../../openapi/ask-openapi.ts';
import type { OpenApiQuestion } from '../../openapi/openapi-questions.ts';
import { existingFile } from '../paths.ts';
import { inRepository, REPOSITORY } from '../repository.ts';
import { clip, inputMember, isBinary, toolFailure } from '../text.ts';
import { defineTool, type ToolContext } from '../tool.ts';

/** GitHub's own description has 12 MB. */
const LARGEST_FILE = 16 * 1024 * 1024;
/** Of all files of one description. */
const LARGEST_WHOLE = 32 * 1024 * 1024;
/** Files that are looked into to find a description. */
const MOST_LOOKED_INTO = 200;
/** Characters of a file that say what it is. */
const HEAD = 64_000;

interface Input {
  operation?: string;
  schema?: string;
  query?: string;
  skip?: number;
}

export const readOpenApiTool = defineTool({
  name: 'read_openapi',
  description:
    'Reads an OpenAPI description (2.0 or 3.x, JSON or YAML) with its $refs resolved. ' +
    '`operation` shows one operation: parameters, bodies, responses and schemas. `schema` shows ' +
    'one schema. `query` finds operations by words. Without these it lists the operations. ' +
    'Without `path` it uses the only description of the repository, or lists them.',
  input: Type.Object({
    path: Type.Optional(Type.String({ description: 'the description, such as openapi.yaml' })),
    operation: Type.Optional(
      Type.String({ maxLength: 500, description: '`GET /users/{id}`, or an operationId' }),
    ),
    schema: Type.Optional(Type.String({ maxLength: 200 })),
    query: Type.Optional(Type.String({ maxLength: 500 })),
    skip: Type.Optional(
      Type.Integer({ minimum: 0, description: 'operations to pass over in a list; 0 by default' }),
    ),
    repository: REPOSITORY,
  }),
  readOnly: true,
  summarize: summaryOf,
  async execute({ path: raw, repository, ...input }, own) {
    const summary = summaryOf({ path: raw, ...input });
    const context = await inRepository(repository, own);
    if ('failure' in context) return context.failure;
    const file = raw === undefined ? await onlyDescription(context) : existingFile(raw, context);
    if (file.error !== undefined) return toolFailure(file.error, summary);
    const { path } = file;
    if (sizeOf(path, context) > LARGEST_FILE)
      return toolFailure(`${path} is larger than 16 MB, which is the most that is read.`, summary);
    try {
      const read = reader(context);
      const answer = await askOpenApi(path, questionOf(input), read, context.signal);
      if (answer.isError) return toolFailure(answer.text, summary);
      return { content: answer.text, summary: clip(`${path}: ${answer.found}`, 200) };
    } catch (error) {
      context.signal.throwIfAborted();
      if (error instanceof OpenApiError) return toolFailure(`${path}: ${error.message}`, summary);
      throw error;
    }
  },
});

function questionOf({ operation, schema, query, skip = 0 }: Input): OpenApiQuestion {
  if (operation !== undefined) return { kind: 'operation', operation };
  if (schema !== undefined) return { kind: 'schema', schema };
  return query === undefined ? { kind: 'overview', skip } : { kind: 'find', query, skip };
}

function summaryOf(input: unknown): string {
  return ['path', 'operation', 'schema', 'query']
    .map(name => inputMember(input, name))
    .filter(Boolean)
    .join(' ');
}

/** Reads texts of a repository, until all of them together are too large. */
function reader(context: ToolContext): (path: string) => Promise<string | undefined> {
  let room = LARGEST_WHOLE;
  return async path => {
    if (!isFile(path, context) || (room -= sizeOf(path, context)) < 0) return undefined;
    const bytes = await context.workspace.read(path);
    return bytes === undefined || isBinary(bytes) ? undefined : bytes.toString('utf8');
  };
}

/** The one description that the repository has, or which there are. */
async function onlyDescription(
  context: ToolContext,
): Promise<{ path: string; error?: never } | { path?: never; error: string }> {
  const found: string[] = [];
  for (const path of likely(context)) {
    context.signal.throwIfAborted();
    const bytes = await context.workspace.read(path);
    const head = bytes?.toString('utf8', 0, HEAD) ?? '';
    if (/^\uFEFF?\s*\{/.test(head) ? IN_JSON.test(head) : IN_YAML.test(head)) found.push(path);
  }
  const [path] = found;
  if (path === undefined)
    return { error: 'No OpenAPI description was found here. If there is one, name its path.' };
  if (found.length === 1) return { path };
  return { error: `There are several descriptions. Name one as path: ${found.join(', ')}.` };
}

const IN_JSON = /"(?:openapi"\s*:\s*"3\.|swagger"\s*:\s*"2\.0")/;
const IN_YAML = /^["']?(?:openapi["']?\s*:\s*["']?3\.|swagger["']?\s*:\s*["']?2\.0)/m;

/** JSON and YAML files, those first whose names say what they are. */
function likely(context: ToolContext): string[] {
  const rank = (path: string): number =>
    /openapi|swagger/i.test(path) ? 0 : /api/i.test(path) ? 1 : 2;
  return context.workspace
    .list()
    .filter(
      path =>
        /\.(?:json|ya?ml)$/i.test(path) &&
        !/(?:^|\/)(?:\.|node_modules\/|package(?:-lock)?\.json$)/.test(path) &&
        isFile(path, context) &&
        sizeOf(path, context) <= LARGEST_FILE,
    )
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, MOST_LOOKED_INTO);
}

function isFile(path: string, { workspace }: ToolContext): boolean {
  return /^100/.test(workspace.entry(path)?.mode ?? '');
}

function sizeOf(path: string, { workspace }: ToolContext): number {
  return workspace.snapshot.entries.get(path)?.size ?? 0;
}
