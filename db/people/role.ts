/** What a member of an organization may do: a later role also what an earlier one may. */
export const ROLES = ['viewer', 'member', 'owner'] as const;
export type Role = (typeof ROLES)[number];
