/**
 * What an address under `/dashboard/` may begin with instead of an organization: pages in front of
 * sign-in, `-/account`, built files.
 */
export const RESERVED_SLUGS: readonly string[] = [
  '-',
  'assets',
  'invitation',
  'reset',
  'setup',
  'sign-in',
];
