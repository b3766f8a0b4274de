import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Session, SignOnAnswer } from '../contract/people.ts';
import { transaction } from '../../../db/pool.ts';
import { SIGN_ON_MINUTES } from '../../../db/people/session-and-link-lifetimes.ts';
import {
  createSignOnAttempt,
  findUnconfirmed,
  type Identity,
  keepUnconfirmed,
  takeSignOnAttempt,
  takeUnconfirmed,
} from '../../../db/people/sign-on.ts';
import { Problem } from '../../../shared/errors.ts';
import type { Handlers } from '../handlers.ts';
import { SecretCookie } from './secret-cookie.ts';
import { beginSession, type SignInDeps } from './session.ts';
import { confirmPassword, limitSignIns } from './sign-in-limit.ts';
import { findOrMakeUser, join, link } from './sign-on-account.ts';
import type { SignOn } from './sign-on-provider.ts';

/**
 * Sign-in through a provider. It admits people it has admitted before, by issuer and subject; else
 * people with an account or an open invitation under the address that the provider vouches for.
 * Nobody can sign up.
 */
export function signOnRoutes(deps: SignInDeps) {
  const { pool, publicUrl } = deps;
  const cookie = new SecretCookie(publicUrl, 'docent-sign-on', SIGN_ON_MINUTES * 60);
  return {
    'POST /sign-on': async (request, reply) => {
      const provider = requireProvider(deps);
      await limitSignIns(pool, request, null);
      const { token } = await createSignOnAttempt(pool);
      const url = await provider.address(token, request.log);
      cookie.set(reply, token);
      return { url };
    },
    'POST /sign-on/callback': (request, reply) =>
      takeReturn(deps, request, reply, cookie.read(request), request.body.query),
    'POST /sign-on/confirm': (request, reply) =>
      confirm(deps, request, reply, cookie.read(request), request.body.password),
  } satisfies Partial<Handlers>;
}

async function takeReturn(
  deps: SignInDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string | undefined,
  returned: string,
): Promise<SignOnAnswer> {
  const { pool } = deps;
  const provider = requireProvider(deps);
  const query = new URLSearchParams(returned);
  // Compared before the attempt is spent: a forged return must not end the real one.
  if (
    token === undefined ||
    !provider.isAnswerTo(token, query) ||
    !(await takeSignOnAttempt(pool, token))
  )
    throw stale(deps);
  const identity = await provider.redeem(token, query, request.log);
  const user = await findOrMakeUser(pool, request, identity, provider.name);
  if (user) return { session: await beginSession(deps, request, reply, user, 'provider') };
  const { email } = identity as Identity & { email: string };
  await keepUnconfirmed(pool, token, { ...identity, email });
  return { confirm: email };
}

async function confirm(
  deps: SignInDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string | undefined,
  password: string,
): Promise<Session> {
  const { pool } = deps;
  const { name } = requireProvider(deps);
  const identity = token === undefined ? undefined : await findUnconfirmed(pool, token);
  if (token === undefined || !identity) throw stale(deps);
  const user = await confirmPassword(pool, request, identity.email, password, 'password');
  await transaction(pool, async tx => {
    if (!(await takeUnconfirmed(tx, token))) throw stale(deps);
    await join(tx, request, user, identity);
    await link(tx, request, user, identity, name);
  });
  return beginSession(deps, request, reply, user, 'provider');
}

function requireProvider({ signOn }: SignInDeps): SignOn {
  if (!signOn) throw new Problem('not_found', 'No sign-in provider is set up here.');
  return signOn;
}

function stale({ publicUrl }: SignInDeps): Problem {
  return new Problem(
    'invalid_request',
    'This sign-in was already used, has expired, or started in another browser. ' +
      `Start again at ${publicUrl}/dashboard.`,
  );
}
