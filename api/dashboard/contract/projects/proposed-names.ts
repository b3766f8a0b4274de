/** The domain that a name proposes: `Acme Docs` gives `acme-docs`. */
export function domainOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
}

/** Names that say nothing of what the docs are about. */
const GENERIC = /^(docs?|documentation|website|site|www|pages|manual|handbook)$/i;

/** The name that a repository's address or name proposes: `https://HOST/acme/docs.git`, `Acme docs`. */
export function nameOfRepository(address: string): string {
  const [last = '', before] = address
    .replace(/^[a-z]+:\/\/[^/]*/i, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/i, '')
    .split('/')
    .toReversed();
  const words = `${GENERIC.test(last) && before ? `${before} ` : ''}${last}`
    .replace(/[-_.\s]+/g, ' ')
    .trim()
    .slice(0, 100);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
