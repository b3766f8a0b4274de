import type { Config } from '../../shared/config.ts';

/** When v1 became deprecated: the release that brought v2. */
export const DEPRECATED_SINCE = Date.UTC(2026, 10, 21) / 1000;

/** Search and page have no second version. */
const DEPRECATED = /^(\/discovery)?\/v1\/(?=agent\/|assistant\/)/;

/**
 * The headers of every response to a deprecated path, refusals and 404 included: since when, until
 * when (if that is decided) and what to use instead, which is the same path in v2. Other paths get
 * none.
 */
export function deprecationHeaders(config: Config): (url: string) => Record<string, string> {
  const date = config.V1_SUNSET;
  const sunset = date === undefined ? undefined : new Date(date).toUTCString();
  return url => {
    if (!DEPRECATED.test(url)) return {};
    const { pathname } = new URL(url, 'http://docent'); // escapes what would end the link
    const successor = pathname.replace(DEPRECATED, '$1/v2/');
    return {
      deprecation: `@${DEPRECATED_SINCE}`,
      link: `<${successor}>; rel="successor-version"`,
      ...(sunset !== undefined && { sunset }),
    };
  };
}
