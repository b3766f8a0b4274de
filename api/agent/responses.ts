import { COMMON_PROBLEMS, problems } from '../plugins/problems.ts';

/** The errors that routes of each kind may answer, for their schemas. */
export const READ_PROBLEMS = problems('invalid_request', ...COMMON_PROBLEMS);
/** Of routes that change a job without an Idempotency-Key; a body that is sent is read. */
export const CHANGE_PROBLEMS = problems(
  'invalid_request',
  'conflict',
  'payload_too_large',
  'unsupported_media_type',
  ...COMMON_PROBLEMS,
);
export const WRITE_PROBLEMS = problems(
  'invalid_request',
  'conflict',
  'payload_too_large',
  'unsupported_media_type',
  'idempotency_key_reused',
  ...COMMON_PROBLEMS,
);

/** The schema of a server-sent event whose data is JSON of this schema, or one of these texts. */
export function eventWith(title: string, data: object, texts: string[] = []) {
  const json = { type: 'string', contentMediaType: 'application/json', contentSchema: data };
  const all = [json, ...texts.map(text => ({ type: 'string', enum: [text] }))];
  return {
    title,
    description: 'A server-sent event. Its data is JSON.',
    type: 'object',
    required: ['data'],
    properties: {
      event: { type: 'string', description: 'Its name: message, where none is sent.' },
      id: { type: 'string', description: 'Its number, where it has one.' },
      data: { description: 'What it says.', ...(all.length === 1 ? json : { anyOf: all }) },
    },
  };
}

/**
 * A response that is text, or a stream of events with this schema. Not typed by it: a TypeBox string
 * does not accept a stream.
 */
export function textResponse(type: string, description: string, event?: object) {
  return {
    description,
    content: { [type]: { schema: event ?? { type: 'string' } } },
  };
}
