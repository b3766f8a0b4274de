/** One route of the dashboard's table. */
import type { TObject, TSchema } from '@sinclair/typebox';
import type { Role } from './people.ts';

/**
 * Who may call a route: `anybody`; `self`, everyone who is signed in; or who has at least this role
 * (viewer < member < owner) in the organization that `:organization` (its slug) or `:projectId`
 * names.
 */
export type Access = Role | 'self' | 'anybody';

export interface RouteEntry {
  who: Access;
  /** Only where a parameter is not as `PARAMS` (routes.ts) describes it. */
  params?: TObject;
  query?: TObject;
  headers?: TObject;
  body?: TSchema;
  /** Bytes; the API's usual limit unless set. */
  bodyLimit?: number;
  /** Answered as JSON; a route without an answer or a stream sends 204. */
  answer?: TSchema;
  /** Of the answer; 200 unless set. */
  status?: 200 | 201;
  /** The handler writes the answer itself. */
  stream?: true;
}
