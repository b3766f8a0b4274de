import type { FastifyInstance } from 'fastify';
import { type Config, publicUrl } from '../../shared/config.ts';
import { Problem } from '../../shared/errors.ts';
import { hostNames, isOwnHost } from '../../shared/host-names.ts';

/** Refuses requests under a name that is not ours, before anything else looks at them. */
export function refuseOtherHosts(app: FastifyInstance, config: Config): void {
  const names = hostNames([publicUrl(config), config.LOCAL_HOST_URL], config.ALLOWED_HOSTS);
  app.addHook('onRequest', async request => {
    if (!isOwnHost(request.headers.host, names))
      throw new Problem(
        'forbidden',
        'This host name is not known here. ' +
          'An operator can set PUBLIC_URL to it, or add it to ALLOWED_HOSTS.',
      );
  });
}
