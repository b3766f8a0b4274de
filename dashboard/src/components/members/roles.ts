import type { Role } from '../../data/place.ts';

/** From the fewest rights to the most. */
export const ROLES: readonly (readonly [Role, string])[] = [
  ['viewer', 'Viewer: can read everything except secrets'],
  ['member', 'Member: can also start jobs, merge and reindex'],
  ['owner', 'Owner: can also manage keys, projects and members'],
];
