import { Type } from '@sinclair/typebox';

/** Hosts, or beginnings of https addresses, such as `example.com` and `https://example.com/docs`. */
export const WebPages = Type.Array(
  Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: String.raw`^(https://)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?(/[^\s,?#\\%]*)?$`,
  }),
  {
    maxItems: 50,
    description: 'Web pages that jobs may read: hosts, or addresses that theirs begin with.',
  },
);
