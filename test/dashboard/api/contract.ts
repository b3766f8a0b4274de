import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Role } from '../../../shared/dashboard/people.ts';

export interface Route<R = Role | 'self' | 'anybody'> {
  role: R;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
}

export const ROLES = ['viewer', 'member', 'owner'] as const;
/** The table of routes at the head of the contract. */
export const ROUTES = readContract();
export const SCOPED = ROUTES.filter((route): route is Route<Role> =>
  (ROLES as readonly string[]).includes(route.role),
);

function readContract(): Route[] {
  const text = readFileSync(
    join(import.meta.dirname, '../../../shared/dashboard/people.ts'),
    'utf8',
  );
  let role = '';
  return [
    ...text.matchAll(
      /^ \* {2}(anybody|self|viewer|member|owner| +) +(GET|POST|PATCH|DELETE) +(\/[^\s?]*)/gm,
    ),
  ].map(([, named = '', method, path]) => {
    role = named.trim() || role;
    return { role, method, path } as Route;
  });
}

export const title = ({ method, path }: Route) => `${method} ${path}`;
