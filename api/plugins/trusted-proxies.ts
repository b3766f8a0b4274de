import { isIP } from 'node:net';
import type { Config } from '../../shared/config.ts';
import { ConfigError } from '../../shared/errors.ts';

/** The proxies of the setting TRUSTED_PROXIES, for Fastify's `trustProxy`. */
export function trustedProxies(config: Config): string[] | false {
  const ranges = config.TRUSTED_PROXIES.split(',')
    .map(range => range.trim())
    .filter(Boolean);
  for (const range of ranges) {
    const [address = '', prefix = '0', ...rest] = range.split('/');
    const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)]!;
    if (rest.length > 0 || !/^\d{1,3}$/.test(prefix) || Number(prefix) > bits) {
      throw new ConfigError(
        'TRUSTED_PROXIES must be comma-separated addresses or ranges such as 10.0.0.0/8; ' +
          `got "${range}".`,
      );
    }
  }
  return ranges.length > 0 && ranges;
}
