/** The organizations of an installation: the dashboard's contract. */
import { type Static, Type } from '@sinclair/typebox';
import { Time } from './common.ts';
import { Email, Name } from './people.ts';
import { worded } from '../../../shared/text/worded.ts';

/** It stands in the addresses of the organization's pages and never changes. */
export const NewSlug = worded(
  '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$',
  ' of 1 to 63 lower-case letters, digits and -, which are not at an end',
);

export const OrganizationList = Type.Object({
  organizations: Type.Array(
    Type.Object({
      id: Type.String(),
      slug: Type.String(),
      name: Type.String(),
      members: Type.Integer(),
      projects: Type.Integer(),
      createdAt: Time,
    }),
  ),
});
export type OrganizationList = Static<typeof OrganizationList>;

/** `owner`: the e-mail address that is invited as its first owner. */
export const NewOrganization = Type.Object({ slug: NewSlug, name: Name, owner: Email });
export type NewOrganization = Static<typeof NewOrganization>;

/** `link` is shown once: it is to be sent to the owner by hand. */
export const OrganizationMade = Type.Object({
  id: Type.String(),
  slug: Type.String(),
  name: Type.String(),
  owner: Type.String(),
  link: Type.String(),
  expiresAt: Time,
});
export type OrganizationMade = Static<typeof OrganizationMade>;
