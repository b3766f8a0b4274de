import type { Role } from '../../../api/dashboard/contract/people.ts';
import type { Access } from '../../../api/dashboard/contract/routes/route-entry.ts';
import { ROUTES as TABLE } from '../../../api/dashboard/contract/routes/routes.ts';

export interface Route<Who = Access> {
  who: Who;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
}

export const ROLES = ['viewer', 'member', 'owner'] as const;
/** The table of routes, as a list. */
export const ROUTES = Object.entries<{ who: Access }>(TABLE).map(([name, { who }]) => {
  const [method, path] = name.split(' ') as [Route['method'], string];
  return { who, method, path };
});
export const SCOPED = ROUTES.filter((route): route is Route<Role> =>
  (ROLES as readonly string[]).includes(route.who),
);

export const title = ({ method, path }: Route) => `${method} ${path}`;
