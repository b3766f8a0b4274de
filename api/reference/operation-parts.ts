import { PROBLEMS, type ProblemCode } from '../../shared/errors.ts';
import { DEPRECATED_SINCE } from '../plugins/deprecation.ts';
import { DOCUMENTED, typeOfProblem } from '../plugins/problem-schema.ts';

/** A part of the document: an object of JSON. */
export type Part = Record<string, unknown>;
export interface Operation {
  operationId?: string;
  description?: string;
  deprecated?: boolean;
  parameters?: { description?: string; schema?: Part; example?: unknown }[];
  responses?: Record<string, Part>;
}

/** In place of the name that the plugin has for an answer without one. */
export function nameSuccess({ responses = {} }: Operation): void {
  for (const response of Object.values(responses))
    if (response.description === 'Default Response') response.description = 'Success';
}

/** An example of a parameter belongs to it, not to its schema; a named schema keeps its description. */
export function takeExamples({ parameters = [] }: Operation): void {
  for (const parameter of parameters) {
    const { examples, ...schema } = parameter.schema ?? {};
    if (schema.title !== undefined) schema.description = parameter.description;
    parameter.schema = schema;
    const [choice] = (schema.anyOf ?? []) as Part[];
    const values = (examples ?? choice?.enum) as unknown[] | undefined;
    if (values) [parameter.example] = values;
  }
}

/** Refusals are the same everywhere: components with the name of their code, `NotFound`. */
export function takeRefusals(operation: Operation, components: Record<string, Part>): void {
  const { responses = {} } = operation;
  for (const [status, response] of Object.entries(responses)) {
    const code = DOCUMENTED.find(one => String(PROBLEMS[one].status) === status);
    if (code === undefined || !JSON.stringify(response).includes('application/problem+json'))
      continue;
    const name = code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
    components[name] = refusal(code);
    responses[status] = { $ref: `#/components/responses/${name}` };
  }
}

const WITH_RETRY_AFTER: ProblemCode[] = ['limit_exceeded', 'unavailable'];

function refusal(code: ProblemCode): Part {
  const { status, title } = PROBLEMS[code];
  const example = {
    type: typeOfProblem(code),
    title,
    status,
    detail: `${title}.`,
    instance: 'urn:docent:request:req_01kaj5zq3v8w1m4r7t2x9c6bne',
    error: `${title}.`,
  };
  return {
    description: `${title}: \`${typeOfProblem(code)}\``,
    ...(WITH_RETRY_AFTER.includes(code) && {
      headers: {
        'Retry-After': {
          description: 'Seconds until the call can be made again.',
          schema: { type: 'integer' },
        },
      },
    }),
    content: {
      'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' }, example },
    },
  };
}

/** Since when an operation is deprecated, until when it works, and what to use. */
export function tellDates(operation: Operation, sunset: string | undefined): void {
  if (!operation.deprecated) return;
  const since = new Date(DEPRECATED_SINCE * 1000).toISOString().slice(0, 10);
  const until = sunset === undefined ? '' : ` It is removed on ${sunset}.`;
  operation.description =
    `${operation.description ?? ''}\n\nDeprecated since ${since}.${until} ` +
    `Use \`${SUCCESSORS[operation.operationId ?? ''] ?? 'v2'}\`.`.trim();
}

const SUCCESSORS: Record<string, string> = {
  createSession: 'createJob',
  getSession: 'getJob',
  listSessions: 'listJobs',
  askAssistantV1: 'askAssistant',
};
