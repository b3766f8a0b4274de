import type { Role } from '../../data/place.ts';

/** From the fewest rights to the most. */
export const ROLES: readonly (readonly [Role, string])[] = [
  ['viewer', 'Viewer: reads everything but secrets'],
  ['member', 'Member: also starts jobs, merges, reindexes'],
  ['owner', 'Owner: also keys, projects and members'],
];
