import { createHmac } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type ClientAuth,
  type CustomFetch,
  customFetch,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type IDToken,
  type UserInfoResponse,
} from 'openid-client';
import type { Config } from '../../../shared/config.ts';
import type { Identity } from '../../../db/people/sign-on.ts';
import { guardedFetch } from '../../../shared/outgoing/guarded-fetch.ts';
import { type MayReach, reachableAddresses } from '../../../shared/outgoing/public-address.ts';
import { Problem } from '../../../shared/errors.ts';
import { RETRY_AFTER_SECONDS, retryAfter } from '../../../shared/retry-after.ts';

const TIMEOUT_SECONDS = 10;

/**
 * An OpenID Connect provider, by Authorization Code with PKCE, state and nonce. All three are
 * derived from the random bits of the cookie that binds an attempt to its browser: nothing in
 * the database would help anyone.
 */
export class SignOn {
  /** What people call the provider. */
  readonly name: string;
  readonly #settings: { issuer: URL; clientId: string; clientSecret: string };
  readonly #redirectUri: string;
  /** The operator chose the issuer; it alone chooses the other addresses in its configuration. */
  readonly #fetch: CustomFetch;
  #discovered: Promise<Configuration> | undefined;

  constructor(
    issuer: string,
    clientId: string,
    clientSecret: string,
    options: { name: string | undefined; publicUrl: string; mayReach: MayReach },
  ) {
    this.#settings = { issuer: new URL(issuer), clientId, clientSecret };
    this.#fetch = guardedFetch({
      mayReach: options.mayReach,
      trusted: [this.#settings.issuer.origin],
      timeoutMs: TIMEOUT_SECONDS * 1_000,
    }) as CustomFetch;
    this.#redirectUri = `${options.publicUrl}/dashboard/sign-in/callback`;
    this.name = options.name ?? this.#settings.issuer.host;
  }

  /** Where to send the browser. Throws `unavailable`. */
  async address(token: string, log: FastifyBaseLogger): Promise<string> {
    const provider = await this.#provider(log);
    return buildAuthorizationUrl(provider, {
      redirect_uri: this.#redirectUri,
      scope: 'openid email profile',
      state: derived(token, 'state'),
      nonce: derived(token, 'nonce'),
      code_challenge: await calculatePKCECodeChallenge(derived(token, 'verifier')),
      code_challenge_method: 'S256',
    }).href;
  }

  /** Whether what came back answers what this browser asked. */
  isAnswerTo(token: string, query: URLSearchParams): boolean {
    return query.get('state') === derived(token, 'state');
  }

  /**
   * Exchanges the code that came back for who it is. Throws `not_permitted` where anything does not
   * hold, or `unavailable`.
   */
  async redeem(token: string, query: URLSearchParams, log: FastifyBaseLogger): Promise<Identity> {
    const provider = await this.#provider(log);
    try {
      const answer = await authorizationCodeGrant(
        provider,
        new URL(`${this.#redirectUri}?${query.toString()}`),
        {
          expectedState: derived(token, 'state'),
          expectedNonce: derived(token, 'nonce'),
          pkceCodeVerifier: derived(token, 'verifier'),
          idTokenExpected: true,
        },
      );
      const claims = answer.claims()!;
      // Some providers keep the e-mail address out of the token.
      return identityOf(
        claims,
        claims.email === undefined && provider.serverMetadata().userinfo_endpoint
          ? await fetchUserInfo(provider, answer.access_token, claims.sub)
          : claims,
      );
    } catch (error) {
      throw this.#refusal(error, log);
    }
  }

  /** Asked once; a failure is forgotten. */
  async #provider(log: FastifyBaseLogger): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings;
    this.#discovered ??= discovery(
      issuer,
      clientId,
      { client_secret: clientSecret },
      clientAuthentication(clientSecret),
      {
        timeout: TIMEOUT_SECONDS,
        [customFetch]: this.#fetch,
        // The token's signature is checked although TLS would do: one more thing that must hold.
        execute: [
          enableNonRepudiationChecks,
          ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : []),
        ],
      },
    );
    try {
      return await this.#discovered;
    } catch (error) {
      this.#discovered = undefined;
      log.warn(
        { reason: reasonOf(error) },
        'the sign-in provider could not be asked for its configuration',
      );
      throw this.#unavailable();
    }
  }

  /**
   * What went wrong is for the log, by its code alone: the library's errors carry the provider's
   * whole answers.
   */
  #refusal(error: unknown, log: FastifyBaseLogger): Problem {
    const reason = reasonOf(error);
    log.warn({ reason }, 'a sign-in through the provider failed');
    if (reason === 'access_denied')
      return new Problem('not_permitted', `Sign-in with ${this.name} was denied or cancelled.`);
    const silent =
      error instanceof TypeError ||
      ['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM'].includes(reason);
    return silent
      ? this.#unavailable()
      : new Problem('not_permitted', `The answer from ${this.name} is not valid. Start again.`);
  }

  #unavailable(): Problem {
    return new Problem(
      'unavailable',
      `${this.name} cannot be reached. Try again in a moment, or sign in with a password.`,
      { headers: retryAfter(RETRY_AFTER_SECONDS.signOnProvider) },
    );
  }
}

/** The provider in the settings, if there is one. */
export function openSignOn(
  { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME, ALLOWED_PRIVATE_NETWORKS }: Config,
  publicUrl: string,
): SignOn | undefined {
  if (!OIDC_ISSUER || !OIDC_CLIENT_ID || !OIDC_CLIENT_SECRET) return undefined;
  return new SignOn(OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, {
    name: OIDC_NAME,
    publicUrl,
    mayReach: reachableAddresses(ALLOWED_PRIVATE_NETWORKS),
  });
}

function derived(token: string, use: 'state' | 'nonce' | 'verifier'): string {
  return createHmac('sha256', token).update(use).digest('base64url');
}

/**
 * In the body if the provider's metadata lists that; else in the header, which all must accept.
 */
function clientAuthentication(secret: string): ClientAuth {
  const [body, header] = [ClientSecretPost(secret), ClientSecretBasic(secret)];
  return (server, ...rest) =>
    (server.token_endpoint_auth_methods_supported?.includes('client_secret_post') ? body : header)(
      server,
      ...rest,
    );
}

function identityOf(
  { iss, sub }: IDToken,
  { email, email_verified: verified, name }: IDToken | UserInfoResponse,
): Identity {
  return {
    issuer: iss,
    subject: sub,
    email: verified === true && isPlainAddress(email) ? email : null,
    name:
      (typeof name === 'string' &&
        name
          .replace(/\p{Cc}/gu, ' ')
          .trim()
          .slice(0, 100)) ||
      null,
  };
}

/**
 * Addresses are looked up whatever their case, and some letters of other scripts are ASCII ones in
 * lower case (the Kelvin sign is a k): written with them, another mailbox's address would pass for
 * ours.
 */
function isPlainAddress(email: unknown): email is string {
  if (
    typeof email !== 'string' ||
    email.length > 254 ||
    !/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(email)
  )
    return false;
  const folded = email.replace(/[A-Z]+/g, letters => letters.toLowerCase());
  return folded === folded.toLowerCase();
}

/** An error's code in OAuth, or in the library; never its message or cause. */
function reasonOf(error: unknown): string {
  const { error: oauth, code, name } = error as { error?: unknown; code?: unknown; name?: unknown };
  return [oauth, code, name].find(each => typeof each === 'string')?.slice(0, 100) ?? 'unknown';
}
