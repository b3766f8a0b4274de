import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { buttonClass } from '../components/controls/button.tsx';
import { PageNotLoaded } from '../routes/lazy-page.ts';
import { Failed, Loading } from '../components/feedback/loaded.tsx';

export function RoutePending() {
  return (
    <div className="page">
      <Loading lines={6} />
    </div>
  );
}

export function RouteFailed({ error, reset }: ErrorComponentProps) {
  const retry = () => {
    if (error instanceof PageNotLoaded) error.again().then(reset, () => undefined);
    else reset();
  };
  return (
    <div className="page">
      <Failed error={error instanceof Error ? error : new Error(String(error))} retry={retry} />
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
