import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { buttonClass } from '../components/controls/button.tsx';
import { Failed, Loading } from '../components/feedback/loaded.tsx';

export function RoutePending() {
  return (
    <div className="page">
      <Loading lines={6} />
    </div>
  );
}

export function RouteFailed({ error, reset }: ErrorComponentProps) {
  return (
    <div className="page">
      <Failed error={error instanceof Error ? error : new Error(String(error))} retry={reset} />
    </div>
  );
}

export function NotFound() {
  useEffect(() => {
    document.title = 'Not found · Docent';
  }, []);
  return (
    <div className="state">
      <h1>Page not found</h1>
      <p>
        The address may be wrong, or it belongs to an organization that you are not a member of.
      </p>
      <Link to="/" className={buttonClass()}>
        Back to the dashboard
      </Link>
    </div>
  );
}
