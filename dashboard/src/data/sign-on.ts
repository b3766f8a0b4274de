import { call } from './request.ts';

const NEXT = 'sign-on-next';

/**
 * Leaves for the provider. It returns to /dashboard/sign-in/callback in this tab, which opens
 * `next`.
 */
export async function leaveForProvider(next: string | undefined): Promise<void> {
  const { url } = await call('POST /sign-on', {});
  if (next === undefined) sessionStorage.removeItem(NEXT);
  else sessionStorage.setItem(NEXT, next);
  location.assign(url);
}

export function nextAfterProvider(): string | undefined {
  return sessionStorage.getItem(NEXT) ?? undefined;
}
