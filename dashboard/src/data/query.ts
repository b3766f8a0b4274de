import type { Answer, Route } from '../../../api/dashboard/contract/routes/route-types.ts';
import { call, type Input } from './request.ts';

/** What `useQuery` is given. */
export interface Query<T> {
  queryKey: readonly unknown[];
  queryFn(context: { signal: AbortSignal }): Promise<T>;
}

/** A route that is read, for code that does not ask which one it is. */
export function reading<R extends Route & `GET ${string}`>(
  route: R,
  input: Input<R>,
): Query<Answer<R>> {
  return { queryKey: [route, input], queryFn: ({ signal }) => call(route, input, signal) };
}
