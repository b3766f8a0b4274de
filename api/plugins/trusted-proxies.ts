import type { Config } from '../../shared/config.ts';

/** The proxies of the setting TRUSTED_PROXIES, for Fastify's `trustProxy`. */
export function trustedProxies(config: Config): string[] | false {
  const ranges = config.TRUSTED_PROXIES.split(',')
    .map(range => range.trim())
    .filter(Boolean);
  return ranges.length > 0 && ranges;
}
