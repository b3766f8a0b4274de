import { Type } from '@sinclair/typebox';
import { PROBLEMS, type ProblemCode } from '../../shared/errors.ts';

export function typeOfProblem(code: ProblemCode): string {
  return `urn:docent:problem:${code.replaceAll('_', '-')}`;
}

/** All but those of the dashboard. */
export const DOCUMENTED = (Object.keys(PROBLEMS) as ProblemCode[]).filter(
  code => code !== 'not_signed_in' && code !== 'not_permitted',
);

/**
 * RFC 9457, with `error` (the detail again: what many clients show) and, for validation, `errors`.
 */
export const ProblemSchema = Type.Object(
  {
    type: Type.Unsafe<string>({
      ...{ title: 'ProblemType', type: 'string', enum: DOCUMENTED.map(typeOfProblem) },
      description: `The kind of problem. ${DOCUMENTED.map(code => `${typeOfProblem(code)}: ${PROBLEMS[code].status}, ${PROBLEMS[code].title}`).join('; ')}.`,
    }),
    title: Type.String({ description: 'The kind of problem, in words.' }),
    status: Type.Integer({ description: 'The HTTP status.' }),
    detail: Type.String({ description: 'One sentence about this problem.' }),
    instance: Type.String({ format: 'uri', description: 'The request’s id, to quote.' }),
    error: Type.String({ description: 'The same as detail, for clients that show one text.' }),
    errors: Type.Optional(
      Type.Array(
        Type.Object(
          {
            path: Type.String({ description: 'The member of the body.' }),
            message: Type.String({ description: 'What it must be.' }),
          },
          { title: 'ProblemField', description: 'A member that was not accepted.' },
        ),
        { description: 'Of invalid requests: each member that was not accepted.' },
      ),
    ),
  },
  { $id: 'Problem', description: 'Why a request was refused (RFC 9457).' },
);
