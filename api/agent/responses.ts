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

/**
 * A response that is text, or a stream of events with this schema. Not typed by it: a TypeBox string
 * does not accept a stream.
 */
export function textResponse(type: string, description: string, event?: object) {
  return {
    description,
    content: { [type]: { schema: event ? dataOf(event) : { type: 'string' } } },
  };
}

/**
 * Without a type: some readers of the document apply it to each event, others to the whole text, and
 * clients of Python would parse that as an object.
 */
function dataOf(event: object) {
  return {
    description: 'Server-sent events; the data of each is JSON of this schema.',
    contentMediaType: 'application/json',
    contentSchema: event,
  };
}
