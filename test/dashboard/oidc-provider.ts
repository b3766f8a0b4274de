import {
  createHash,
  createSign,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

const CLIENT = { id: 'docent', secret: 'a+secret/of the=tests' };

/** Somebody with an account at the provider. */
export interface Person {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
}

interface Grant {
  person: Person;
  redirectUri: string;
  challenge: string;
  nonce: string | null;
}

/**
 * An OpenID Connect provider that speaks the protocol: discovery, a page to sign in on, tokens
 * signed with RS256, keys, user info.
 */
export class OidcProvider {
  readonly people = new Map<string, Person>();
  /** Claims of ID tokens that differ from what they should be; undefined leaves one out. */
  forged: Record<string, unknown> = {};
  /** Signs with a key that is not among the published ones. */
  signsFalsely = false;
  /** E-mail address and name are in the user info only, not in the token. */
  hidesProfile = false;
  /** Answers 503 to everything. */
  down = false;
  /** What it says of its token endpoint, instead of its own. */
  tokenEndpoint: string | undefined;
  /** How clients may authenticate; undefined: it does not say. */
  authMethods: string[] | undefined = ['client_secret_post'];
  /** Paths that were asked, by how the client authenticated at the token endpoint. */
  readonly asked: string[] = [];

  readonly #codes = new Map<string, Grant>();
  readonly #tokens = new Map<string, Person>();
  readonly #keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  readonly #otherKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  readonly #server = createServer((request, response) => {
    this.#answer(request, response).catch(error => response.destroy(error as Error));
  });
  issuer = '';

  async start(): Promise<this> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve));
    this.issuer = `http://127.0.0.1:${(this.#server.address() as { port: number }).port}`;
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise(resolve => this.#server.close(resolve));
  }

  /** Docent's settings for it. */
  get settings(): Record<string, string> {
    return {
      OIDC_ISSUER: this.issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      OIDC_NAME: 'Acme ID',
    };
  }

  /**
   * What a browser brings back from the sign-in page, with its leading "?": somebody signed in
   * there, or (`null`) turned back.
   */
  async visit(address: string, email: string | null): Promise<string> {
    const answer = await fetch(address, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(email === null ? { cancel: '' } : { email }),
    });
    const location = answer.headers.get('location');
    if (!location)
      throw new Error(`the sign-in page answered ${answer.status}: ${await answer.text()}`);
    return new URL(location).search;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.issuer);
    const body = new URLSearchParams((await buffer(request)).toString());
    const json = (status: number, value: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (this.down) return void json(503, { error: 'temporarily_unavailable' });
    switch (`${request.method} ${url.pathname}`) {
      case 'GET /.well-known/openid-configuration':
        return void json(200, this.#metadata());
      case 'GET /keys':
        return void json(200, {
          keys: [
            {
              ...this.#keys.publicKey.export({ format: 'jwk' }),
              kid: 'k1',
              alg: 'RS256',
              use: 'sig',
            },
          ],
        });
      case 'GET /authorize':
        return void response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
      case 'POST /authorize':
        return void response
          .writeHead(302, { location: this.#authorize(url.searchParams, body) })
          .end();
      case 'POST /token': {
        const [status, value] = this.#token(body, request.headers.authorization);
        return void json(status, value);
      }
      case 'GET /userinfo': {
        const person = this.#tokens.get(
          request.headers.authorization?.replace(/^Bearer /, '') ?? '',
        );
        this.asked.push('userinfo');
        return void (person ? json(200, person) : json(401, { error: 'invalid_token' }));
      }
      default:
        json(404, { error: 'not_found' });
    }
  }

  #metadata() {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: this.tokenEndpoint ?? `${this.issuer}/token`,
      userinfo_endpoint: `${this.issuer}/userinfo`,
      jwks_uri: `${this.issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
      ...(this.authMethods && { token_endpoint_auth_methods_supported: this.authMethods }),
    };
  }

  #authorize(query: URLSearchParams, body: URLSearchParams): string {
    const need = (name: string) => {
      const value = query.get(name);
      if (!value) throw new Error(`authorize without ${name}`);
      return value;
    };
    if (
      need('response_type') !== 'code' ||
      need('client_id') !== CLIENT.id ||
      need('code_challenge_method') !== 'S256' ||
      !need('scope').split(' ').includes('openid')
    )
      throw new Error('not a request of ours');
    const back = new URL(need('redirect_uri'));
    back.searchParams.set('state', need('state'));
    const person = this.people.get(body.get('email') ?? '');
    if (person) {
      const code = BigInt(`0x${randomBytes(16).toString('hex')}`).toString(); // digits only: whoever reads it as a number has lost it
      this.#codes.set(code, {
        person,
        redirectUri: need('redirect_uri'),
        challenge: need('code_challenge'),
        nonce: query.get('nonce'),
      });
      back.searchParams.set('code', code);
    } else {
      back.searchParams.set('error', 'access_denied');
      back.searchParams.set('error_description', 'a sentence that nobody should believe');
    }
    return back.href;
  }

  #token(body: URLSearchParams, authorization: string | undefined): [number, unknown] {
    this.asked.push(authorization ? 'token by header' : 'token by body');
    const [id, secret] = authorization
      ? Buffer.from(authorization.replace(/^Basic /, ''), 'base64')
          .toString()
          .split(':')
          .map(part => decodeURIComponent(part.replaceAll('+', ' ')))
      : [body.get('client_id'), body.get('client_secret')];
    if (id !== CLIENT.id || secret !== CLIENT.secret) return [401, { error: 'invalid_client' }];
    const code = body.get('code') ?? '';
    const grant = this.#codes.get(code);
    this.#codes.delete(code);
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url');
    if (
      !grant ||
      body.get('grant_type') !== 'authorization_code' ||
      body.get('redirect_uri') !== grant.redirectUri ||
      challenge !== grant.challenge
    )
      return [400, { error: 'invalid_grant' }];
    const accessToken = randomBytes(16).toString('hex');
    this.#tokens.set(accessToken, grant.person);
    return [
      200,
      {
        access_token: accessToken,
        token_type: 'Bearer',
        expires_in: 300,
        id_token: this.#idToken(grant),
      },
    ];
  }

  #idToken({ person, nonce }: Grant): string {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      ...(this.hidesProfile ? { sub: person.sub } : person),
      iss: this.issuer,
      aud: CLIENT.id,
      iat: now,
      exp: now + 300,
      ...(nonce && { nonce }),
      ...this.forged,
    };
    return signed(claims, this.signsFalsely ? this.#otherKey : this.#keys.privateKey);
  }
}

function signed(claims: object, key: KeyObject): string {
  const text = [{ alg: 'RS256', typ: 'JWT', kid: 'k1' }, claims]
    .map(part => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${text}.${createSign('RSA-SHA256').update(text).sign(key, 'base64url')}`;
}

const PAGE = `<!doctype html><html lang="en"><title>Acme ID</title><h1>Sign in with Acme ID</h1>
<form method="post"><label>E-mail <input name="email"></label> <button>Continue</button> <button name="cancel">Cancel</button></form>`;
