/** What the table of routes means, as types: for the handlers, and for the browser's calls. */
import type { Static, TSchema } from '@sinclair/typebox';
import type { PARAMS } from './route-entry.ts';
import type { ROUTES } from './routes.ts';

type Table = typeof ROUTES;
/** Method and path: `GET /projects/:projectId`. */
export type Route = keyof Table;

/** The names of a path's parameters. */
export type ParamName<R extends Route> = NamesIn<R>;
type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** Routes whose entry names a schema for this part. */
type With<Part extends string> = {
  [R in Route]: Table[R] extends Record<Part, TSchema> ? R : never;
}[Route];
type StaticOf<R extends Route, Part extends string> =
  Table[R] extends Record<Part, infer Schema extends TSchema> ? Static<Schema> : undefined;

export type RouteWithBody = With<'body'>;
export type RouteWithQuery = With<'query'>;
export type Body<R extends Route> = StaticOf<R, 'body'>;
export type Query<R extends Route> = StaticOf<R, 'query'>;
export type Headers<R extends Route> = StaticOf<R, 'headers'>;
/** Undefined where the answer is empty, or a stream. */
export type Answer<R extends Route> = R extends Route ? StaticOf<R, 'answer'> : never;
export type Params<R extends Route> =
  Table[R] extends Record<'params', infer Schema extends TSchema>
    ? Static<Schema>
    : { [Name in ParamName<R> & keyof typeof PARAMS]: Static<(typeof PARAMS)[Name]> };
export type StreamRoute = {
  [R in Route]: Table[R] extends { stream: true } ? R : never;
}[Route];
