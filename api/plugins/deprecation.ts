import type { FastifyInstance } from 'fastify';
import type { Config } from '../../shared/config.ts';
import { ConfigError } from '../../shared/errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set on deprecated routes: the path of what replaces it, with the route's own parameters. */
    successor?: string;
  }
}

/** When v1 became deprecated: the release that brought v2. */
const DEPRECATED_SINCE = Date.UTC(2026, 10, 21) / 1000;

/** Says on every response of a deprecated route, errors included, since when, until when (if that is decided) and what to use instead. */
export function registerDeprecation(app: FastifyInstance, config: Config): void {
  const sunset = sunsetDate(config.V1_SUNSET);
  app.addHook('onRequest', async (request, reply) => {
    const { successor } = request.routeOptions.config;
    if (!successor) return;
    const params = request.params as Record<string, string>;
    const target = successor.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
    reply.headers({ deprecation: `@${DEPRECATED_SINCE}`, link: `<${target}>; rel="successor-version"`, ...(sunset && { sunset }) });
  });
}

function sunsetDate(setting: string | undefined): string | undefined {
  if (setting === undefined) return undefined;
  const date = new Date(setting);
  if (Number.isNaN(date.getTime())) throw new ConfigError(`V1_SUNSET takes a date such as 2027-06-30; got ${JSON.stringify(setting)}.`);
  return date.toUTCString();
}
