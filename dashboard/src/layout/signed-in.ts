import { useRouter } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Session } from '../../../shared/dashboard.ts';
import { sessionQuery } from '../data/queries.ts';
import { send } from '../data/request.ts';

/** A form that ends in a session: sends it, keeps the session, goes on to `next`. */
export function useSessionForm(path: string, next?: string) {
  const client = useQueryClient();
  const router = useRouter();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const submit = async (body: unknown) => {
    setBusy(true);
    setError(null);
    try {
      const session = await send<Session>('POST', path, body);
      client.clear(); // of whoever was signed in before
      client.setQueryData(sessionQuery.queryKey, session);
      // Only ever an address of the dashboard: the router would follow no other.
      await (next?.startsWith('/') && !next.startsWith('//') ? router.navigate({ href: next, replace: true }) : router.navigate({ to: '/', replace: true }));
    } catch (caught) {
      setError(caught as Error);
      setBusy(false);
    }
  };
  return { busy, error, submit: (body: unknown) => { void submit(body); } };
}
