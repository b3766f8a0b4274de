import type { Token } from './state.ts';

export interface Call {
  method: string;
  /** Below the API's base. */
  path: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
  token: Token | undefined;
  /** The request came with the App's own token, properly signed. */
  asApp: boolean;
  web: string;
}

export interface Answer {
  status: number;
  body: unknown;
  location?: string;
  /** Number of the page that follows this one of a list. */
  next?: number;
}

export const ok = (body: unknown, status = 200): Answer => ({ status, body });
export const failed = (status: number, message: string, errors?: unknown[]): Answer => ({
  status,
  body: { message, documentation_url: 'https://docs.github.com/rest', ...(errors && { errors }) },
});

/** A page of a list, as the query asks for it. */
export function page<T>({ query }: Call, all: readonly T[], show: (item: T) => unknown): Answer {
  const size = Math.min(100, Number(query.get('per_page') ?? 30));
  const number = Number(query.get('page') ?? 1);
  return {
    ...ok(all.slice((number - 1) * size, number * size).map(show)),
    ...(all.length > number * size && { next: number + 1 }),
  };
}
