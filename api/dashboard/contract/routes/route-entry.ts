/** What an entry of the table of routes may say. */
import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import { Id, Slug } from '../common.ts';
import type { Role } from '../people.ts';

/**
 * Who may call a route: `anybody`; `self`, everyone who is signed in; or who has at least this role
 * (viewer < member < owner) in the organization that `:organization` (its slug) or `:projectId`
 * names. `manager`: an owner of the installation's first organization.
 */
export type Access = Role | 'manager' | 'self' | 'anybody';

export interface RouteEntry {
  who: Access;
  /** Only where a parameter is not as `PARAMS` describes it. */
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

/** Parameters in a path, by name. */
export const PARAMS = {
  organization: Slug,
  projectId: Id,
  userId: Id,
  id: Id,
  number: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 }),
};
