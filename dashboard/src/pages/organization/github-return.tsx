import { Link, useLoaderData, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { buttonClass } from '../../components/controls/button.tsx';
import { Loading } from '../../components/feedback/loaded.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { useSession } from '../../data/place.ts';
import { useSend } from '../../data/queries.ts';
import { Page } from '../../layout/page.tsx';

/** Where GitHub sends people back to. Its code works once, so it is sent once. */
export function GitHubReturnPage() {
  const query = new URLSearchParams(useLoaderData({ from: '/app/-/github' }));
  const state = query.get('state') ?? '';
  const slug = useSession().organizations.find(each => each.slug === state.split('.')[0])?.slug;
  const problem = problemOf(query, slug);
  const back = useReturn(slug);
  const sent = useRef(false);
  useEffect(() => {
    if (sent.current || problem !== undefined || slug === undefined) return;
    sent.current = true;
    back.mutate({ params: { organization: slug }, body: { state, ...answerOf(query) } });
  });
  const message = problem ?? back.error?.message;
  return (
    <Page title="GitHub" width="narrow">
      {message === undefined ? (
        <div className="card">
          <Loading lines={3} />
        </div>
      ) : (
        <>
          <Notice tone="bad">{message}</Notice>
          <div>
            <WayBack organization={slug} />
          </div>
        </>
      )}
    </Page>
  );
}

/** Why there is nothing to send. */
function problemOf(query: URLSearchParams, organization: string | undefined): string | undefined {
  if (query.get('setup_action') === 'request')
    return 'An owner of that GitHub account must approve the App first. Connect it after that.';
  return organization === undefined
    ? 'GitHub did not return which organization this is for. Start again on its GitHub page.'
    : undefined;
}

/** What GitHub answers with, as the route's body has it. */
function answerOf(query: URLSearchParams) {
  const code = query.get('code');
  const error = query.get('error');
  const installation = query.get('installation_id') ?? '';
  return {
    ...(code && { code }),
    ...(error && { error }),
    ...(/^\d{1,15}$/.test(installation) && { installationId: Number(installation) }),
  };
}

/** Sends the answer, then opens GitHub again or the connected accounts. */
function useReturn(organization: string | undefined) {
  const navigate = useNavigate();
  return useSend(
    'POST /organizations/:organization/github/back',
    async ({ continueAt, connected }) => {
      if (continueAt !== null) window.location.replace(continueAt);
      else if (organization !== undefined)
        await navigate({
          to: '/$organization/-/github',
          params: { organization },
          search: { back: connected === null ? 'shown' : 'connected' },
          replace: true,
        });
    },
  );
}

function WayBack({ organization }: { organization: string | undefined }) {
  return organization === undefined ? (
    <Link to="/" className={buttonClass()}>
      Back to the dashboard
    </Link>
  ) : (
    <Link to="/$organization/-/github" params={{ organization }} className={buttonClass()}>
      Back to the connected accounts
    </Link>
  );
}
