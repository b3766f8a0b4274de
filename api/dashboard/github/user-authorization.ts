import { createHash, createHmac } from 'node:crypto';
import type { Octokit } from '@octokit/rest';
import type { ProvenInstallation } from '../../../db/github/installations.ts';
import { Problem } from '../../../shared/errors.ts';
import type { AppCredentials } from '../../../hosts/github/app.ts';
import { repositoryError, suspended } from '../../../hosts/github/failures.ts';
import { fetchWithin, ForeignRedirect } from '../../../hosts/github/fetch.ts';
import { openOctokit } from '../../../hosts/github/octokit.ts';
import type { GitHubSite } from '../../../hosts/github/site.ts';
import { RepositoryError } from '../../../hosts/repository-error.ts';

/** The App as people authorize it. */
export interface GitHubUserClient {
  clientId: string;
  clientSecret: string;
  site: GitHubSite;
  /** Where GitHub sends people back; the App names it as its callback URL. */
  redirectUri: string;
}

/** Each hundred is a request. An App on more repositories can be limited to those of the docs. */
const MOST_REPOSITORIES = 2_000;

/**
 * Where GitHub asks its user whether we may know who they are. A code that it gives there is
 * valid for this `state` only (PKCE).
 */
export function authorizeUrl(
  { clientId, clientSecret, site, redirectUri }: GitHubUserClient,
  state: string,
): string {
  const challenge = createHash('sha256')
    .update(verifierOf(clientSecret, state))
    .digest('base64url');
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  return `${site.webUrl}/login/oauth/authorize?${query.toString()}`;
}

/**
 * Runs `work` with the token of the user who brought `code`, then revokes it: it is kept nowhere.
 * Throws 409 where GitHub refuses the code or the client, 503 where that passes by itself.
 */
export async function withUserToken<T>(
  client: GitHubUserClient,
  state: string,
  code: string,
  work: (token: string) => Promise<T>,
): Promise<T> {
  const token = await exchange(client, state, code);
  try {
    return await work(token);
  } finally {
    await revoke(client, token);
  }
}

async function exchange(
  { clientId, clientSecret, site, redirectUri }: GitHubUserClient,
  state: string,
  code: string,
): Promise<string> {
  const response = await fetchWithin(`${site.webUrl}/login/oauth/access_token`, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({
      client_id: clientId,
      client_secret: clientSecret,
      code,
      redirect_uri: redirectUri,
      code_verifier: verifierOf(clientSecret, state),
    }),
  }).catch((error: unknown) => {
    throw unanswered(error);
  });
  if (response.status === 429 || response.status >= 500)
    throw new Problem(
      'unavailable',
      `GitHub answers with status ${response.status}: connect again in a moment.`,
    );
  if (!response.ok)
    throw new Problem('conflict', `${UNKNOWN_CLIENT} It answers with status ${response.status}.`);
  const { access_token: token, error } = (await response.json().catch((cause: unknown) => {
    throw unanswered(cause);
  })) as { access_token?: unknown; error?: unknown };
  if (typeof token === 'string') return token;
  throw new Problem('conflict', sentenceFor(error, redirectUri));
}

function unanswered(error: unknown): Problem {
  if (error instanceof ForeignRedirect)
    return new Problem(
      'conflict',
      `GitHub redirects to ${error.host}, which is not followed: check GITHUB_API_URL.`,
    );
  return new Problem('unavailable', 'GitHub does not answer: connect again in a moment.');
}

const UNKNOWN_CLIENT =
  'GitHub does not know the App’s client: ' +
  'check GITHUB_APP_CLIENT_ID and GITHUB_APP_CLIENT_SECRET.';

/**
 * GitHub tells what is wrong by a word. What else it says is not shown: anybody can write it into
 * an address.
 */
export function sentenceFor(error: unknown, redirectUri: string): string {
  switch (error) {
    case 'access_denied':
      return 'You did not allow it on GitHub, so nothing was connected.';
    case 'incorrect_client_credentials':
      return UNKNOWN_CLIENT;
    case 'redirect_uri_mismatch':
      return (
        'GitHub has another callback URL for the App: ' +
        `the operator must set it to ${redirectUri}.`
      );
    case 'bad_verification_code':
      return 'GitHub no longer accepts the code that it sent: connect again.';
    default:
      return 'GitHub did not confirm who you are: connect again.';
  }
}

async function revoke(
  { clientId, clientSecret, site }: GitHubUserClient,
  token: string,
): Promise<void> {
  // What is not revoked ends by itself, within eight hours.
  await fetchWithin(`${site.apiUrl}/applications/${encodeURIComponent(clientId)}/token`, {
    method: 'DELETE',
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'content-type': 'application/json',
      accept: 'application/vnd.github+json',
    },
    body: JSON.stringify({ access_token: token }),
  }).catch(() => undefined);
}

/** PKCE's secret, which need not be stored: nobody else can make it from the state. */
function verifierOf(clientSecret: string, state: string): string {
  return createHmac('sha256', clientSecret).update(`code_verifier ${state}`).digest('base64url');
}

/**
 * The App's installations that GitHub shows to its user, and whether the user may give each away.
 * GitHub shows an installation to anyone who may read one repository of it; Docent will write to
 * all of them. So only a person who may do that, too, can give it away.
 */
export async function proveInstallations(
  app: AppCredentials,
  { apiUrl }: GitHubSite,
  userToken: string,
): Promise<ProvenInstallation[]> {
  const user = openOctokit(apiUrl, userToken);
  const found = await user
    .paginate(user.rest.apps.listInstallationsForAuthenticatedUser, { per_page: 100 })
    .catch((error: unknown) => {
      throw repositoryError(error, 'your installations');
    });
  return await Promise.all(
    found.map(async ({ id, account, suspended_at: suspendedAt }) => {
      const name = account && 'login' in account ? account.login : '';
      const asApp = async (): Promise<Octokit> =>
        openOctokit(apiUrl, await app.listingToken(id, name));
      return {
        id,
        account: name,
        refusal: suspendedAt
          ? suspended(name)
          : await refusalOf(id, name, asApp, user).catch(toSentence(name)),
      };
    }),
  );
}

/** Why a user may not give an installation away; null: they may. */
async function refusalOf(
  id: number,
  account: string,
  asApp: () => Promise<Octokit>,
  user: Octokit,
): Promise<string | null> {
  const {
    data: { total_count: all },
  } = await (await asApp()).rest.apps.listReposAccessibleToInstallation({ per_page: 1 });
  if (all === 0)
    return (
      `The installation on ${account} opens no repository: ` +
      'select the docs repository in its settings on GitHub.'
    );
  if (all > MOST_REPOSITORIES)
    return (
      `The installation on ${account} opens more than ${MOST_REPOSITORIES} repositories: ` +
      'select only the docs repositories, in its settings on GitHub.'
    );
  const theirs = await user.paginate(user.rest.apps.listInstallationReposForAuthenticatedUser, {
    installation_id: id,
    per_page: 100,
  });
  if (theirs.filter(({ permissions }) => permissions?.push).length >= all) return null;
  return (
    `The installation on ${account} opens repositories that you cannot write to: ` +
    'someone with write access to all of them must connect it.'
  );
}

/** One account that GitHub does not answer for leaves the others as they are. */
function toSentence(account: string): (error: unknown) => string {
  return error => {
    const known = repositoryError(error, account);
    if (known instanceof RepositoryError) return known.message;
    throw known;
  };
}
