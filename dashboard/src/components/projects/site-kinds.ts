import type { Session } from '../../../../api/dashboard/contract/people.ts';

type SiteKind = Session['siteKinds'][number]['name'];

/** The kind that a field names, one of the session's; undefined: it is to be detected. */
export function siteKindIn(value: string): SiteKind | undefined {
  return value === '' ? undefined : (value as SiteKind);
}
