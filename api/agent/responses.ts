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

/** A response that is text. Plain JSON schema: a TypeBox string does not accept a stream. */
export function textResponse(type: string, description: string) {
  return {
    description,
    content: { [type]: { schema: type === 'text/event-stream' ? {} : { type: 'string' } } },
  };
}
