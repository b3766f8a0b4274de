import { guardedFetch } from '../../shared/outgoing/guarded-fetch.ts';
import type { MayReach } from '../../shared/outgoing/public-address.ts';
import { isAllowedPage } from './allowed.ts';

/** A slow page must not hold a turn up. */
const TIMEOUT_MS = 20_000;
const MOST_BYTES = 2 * 1024 * 1024;

export interface FetchWebOptions {
  /** The project's list. */
  allowed: readonly string[];
  mayReach: MayReach;
  trusted?: readonly string[];
  timeoutMs?: number;
}

/** Reads pages of the project's list only: each redirect is checked against it again. */
export function openWeb({ allowed, timeoutMs = TIMEOUT_MS, ...guard }: FetchWebOptions) {
  return guardedFetch({
    ...guard,
    timeoutMs,
    maxBytes: MOST_BYTES,
    mayVisit: url => isAllowedPage(url, allowed),
  });
}
