import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import type { Session } from '../../../api/dashboard/contract/people.ts';
import { sessionQuery } from '../data/queries.ts';
import { call, type Input } from '../data/request.ts';
import { setSessionOver } from '../data/session-end.ts';

type SessionRoute =
  'POST /session' | 'POST /invitation/accept' | 'POST /reset' | 'POST /sign-on/confirm';

/** Stores a new session and opens `next`. */
export function useEnter() {
  const client = useQueryClient();
  const router = useRouter();
  return async (session: Session, next?: string) => {
    client.clear(); // of the person who was signed in before
    client.setQueryData(sessionQuery.queryKey, session);
    setSessionOver(false);
    await (isOurs(next)
      ? router.navigate({ href: next, replace: true })
      : router.navigate({ to: '/', replace: true }));
  };
}

/** A form that starts a session: sends the form and opens the dashboard. */
export function useSessionForm<R extends SessionRoute>(route: R, next?: string) {
  const enter = useEnter();
  return useSubmit(async (input: Input<R>) => enter(await call(route, input), next));
}

/** What a form shows until it goes: `send` leads away from it, or throws why it cannot. */
export function useSubmit<T>(send: (input: T) => Promise<void>) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const submit = (input: T) => {
    setBusy(true);
    setError(null);
    send(input).catch((caught: unknown) => {
      setError(caught as Error);
      setBusy(false);
    });
  };
  return { busy, error, submit };
}

/** Only an address of this origin: anyone can write a link with `next`. */
function isOurs(next: string | undefined): next is string {
  return (
    next !== undefined &&
    next.startsWith('/') &&
    URL.canParse(next, location.origin) &&
    new URL(next, location.origin).origin === location.origin
  );
}
