import type {
  Answer,
  Body,
  ParamName,
  Query,
  Route,
  RouteWithBody,
  RouteWithQuery,
} from '../../../api/dashboard/contract/routes/route-types.ts';
import { connectionLost } from './connection.ts';
import { sessionsBegun, setSessionOver } from './session-end.ts';

/**
 * An answer that is not 2xx: the API's problem document, or what stands in for it where the network
 * failed.
 */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  /** 0: no answer at all. */
  readonly status: number;
  /** By member of the body, as the form names it. */
  readonly fields: Record<string, string>;

  constructor(status: number, sentence: string, fields: Record<string, string> = {}) {
    super(sentence);
    this.status = status;
    this.fields = fields;
  }
}

type Value = string | number | boolean | undefined;
interface Parts {
  params?: Record<string, string | number> | undefined;
  query?: Record<string, Value> | undefined;
  body?: unknown;
}

/** What a route is called with: its path's parameters, its query and its body, as it has them. */
export type Input<R extends Route> = R extends Route
  ? ([ParamName<R>] extends [never]
      ? { params?: never }
      : { params: Record<ParamName<R>, string | number> }) &
      (R extends RouteWithQuery ? { query?: Blank<Query<R>> } : { query?: never }) &
      (R extends RouteWithBody ? { body: Body<R> } : { body?: never })
  : never;
type Blank<Q> = { [Name in keyof Q]?: Q[Name] | undefined };

/**
 * Calls a route of the dashboard's table, which gives the types. Undefined for an empty answer.
 * Throws `RequestError`.
 */
export async function call<R extends Route>(
  route: R,
  input: Input<R>,
  signal?: AbortSignal,
): Promise<Answer<R>>;
export async function call(route: Route, input: Parts, signal?: AbortSignal): Promise<unknown> {
  const method = route.slice(0, route.indexOf(' '));
  const session = sessionsBegun();
  const answer = ask(urlWith(route, input), {
    method,
    ...(signal && { signal }),
    ...(method !== 'GET' && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(input.body ?? {}),
    }),
  });
  return answer.catch((error: unknown) => {
    // Where a person signs in or out, it is an answer to that.
    const isRefused = error instanceof RequestError && error.status === 401;
    const isOver = isRefused && session === sessionsBegun();
    if (isOver && (method === 'GET' || !route.endsWith(' /session'))) setSessionOver(true);
    throw error;
  });
}

/** What the server says at an address, as `call` gives it. */
export async function ask<T>(address: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(address, init).catch((error: unknown) => {
    if (init.signal?.aborted) throw error;
    connectionLost();
    throw new RequestError(0, 'The server could not be reached. Is Docent running?');
  });
  if (!response.ok) throw await problemOf(response);
  const text = await response.text();
  const isJson = text && /json/.test(response.headers.get('content-type') ?? '');
  return (isJson ? JSON.parse(text) : text || undefined) as T;
}

/** The address of a route that something else than `call` reads. */
export function urlOf<R extends Route>(route: R, input: Omit<Input<R>, 'body'>): string {
  return urlWith(route, input);
}

function urlWith(route: Route, { params = {}, query = {} }: Parts): string {
  const path = route
    .slice(route.indexOf(' ') + 1)
    .replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const filled = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(filled.map(([name, value]) => [name, String(value)]));
  return `/api/dashboard${path}${search.size > 0 ? `?${search}` : ''}`;
}

async function problemOf(response: Response): Promise<RequestError> {
  const problem = (await response.json().catch(() => ({}))) as {
    detail?: string;
    errors?: { path: string; message: string }[];
  };
  const fields = (problem.errors ?? []).map(({ path, message }) => [
    path.split(/[.[]/)[0] ?? '',
    forPeople(message),
  ]);
  return new RequestError(
    response.status,
    problem.detail ?? `The server answered ${response.status}.`,
    Object.fromEntries(fields),
  );
}

/** The end of the API's sentence about a member, by itself under a field. */
function forPeople(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}
