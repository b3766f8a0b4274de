import type { FastifyRequest } from 'fastify';
import { recordFailedSignIn } from '../../../db/audit/audit-log.ts';
import type { Pool } from '../../../db/pool.ts';
import { clearSignInAttempts, takeSignInAttempt } from '../../../db/people/sign-in-limit.ts';
import { findUserByEmail, type User } from '../../../db/people/users.ts';
import { fieldProblem, Problem } from '../../../shared/errors.ts';
import { addressScope, plainAddress } from '../../plugins/client-address.ts';
import { retryAfter } from '../../../shared/retry-after.ts';
import { verifyPassword } from './password.ts';

/**
 * Counts an attempt to sign in, by address and (unless null) account. Throws `limit_exceeded` where
 * there were too many.
 */
export async function limitSignIns(
  pool: Pool,
  request: FastifyRequest,
  email: string | null,
): Promise<void> {
  const wait = await takeSignInAttempt(pool, addressScope(request.ip), email);
  if (wait !== undefined) {
    throw new Problem(
      'limit_exceeded',
      `Too many sign-in attempts; try again in ${Math.ceil(wait / 60)} minutes.`,
      { headers: retryAfter(wait) },
    );
  }
}

/**
 * The user with that e-mail and password. One sentence, and one duration, whichever of the two is
 * wrong.
 */
export async function checkPassword(
  pool: Pool,
  request: FastifyRequest,
  email: string,
  password: string,
): Promise<User> {
  await limitSignIns(pool, request, email);
  const found = await findUserByEmail(pool, email);
  if (!(await verifyPassword(password, found?.passwordHash)) || !found) {
    await recordFailedSignIn(pool, email, plainAddress(request.ip));
    throw new Problem('not_signed_in', 'The e-mail address or the password is wrong.');
  }
  await clearSignInAttempts(pool, addressScope(request.ip), email);
  return { id: found.id, email: found.email, name: found.name };
}

/**
 * As `checkPassword` where the address is not in doubt: a wrong password is the fault of the body's
 * member `path`.
 */
export async function confirmPassword(
  pool: Pool,
  request: FastifyRequest,
  email: string,
  password: string,
  path: string,
): Promise<User> {
  return checkPassword(pool, request, email, password).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code !== 'not_signed_in') throw error;
    throw fieldProblem(path, 'is not your password');
  });
}
