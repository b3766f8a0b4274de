/**
 * Whether an `Origin` header is on an allow-list: whole origins, or `https://*.example.com` for
 * subdomains. An empty list allows any.
 */
export function originAllowed(allowed: readonly string[], origin: string | undefined): boolean {
  if (allowed.length === 0) return true;
  if (origin === undefined) return false;
  const given = origin.toLowerCase();
  return allowed.some(entry => {
    const [scheme, rest] = entry.toLowerCase().replace(/\/$/, '').split('://*.');
    return rest === undefined ? given === scheme : isSubdomain(given, `${scheme}://${rest}`);
  });
}

/** Whether an origin, and nothing more than an origin, is of a subdomain of another. */
function isSubdomain(origin: string, parent: string): boolean {
  if (!URL.canParse(origin) || !URL.canParse(parent)) return false;
  const [given, above] = [new URL(origin), new URL(parent)];
  return (
    given.origin === origin &&
    given.protocol === above.protocol &&
    given.port === above.port &&
    given.hostname.endsWith(`.${above.hostname}`)
  );
}
