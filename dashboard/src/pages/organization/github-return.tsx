import { Link, useLoaderData, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { buttonClass } from '../../components/controls/button.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { Page } from '../../layout/page.tsx';
import { Loading } from '../../components/feedback/loaded.tsx';
import { useSession } from '../../data/place.ts';
import { useSend } from '../../data/queries.ts';

/** Where GitHub sends people back to. What it brings is good once, so it is sent once. */
export function GitHubReturnPage() {
  const query = new URLSearchParams(useLoaderData({ from: '/app/-/github' }));
  const state = query.get('state') ?? '';
  const organization = useSession().organizations.find(({ slug }) => slug === state.split('.')[0]);
  const requested =
    query.get('setup_action') === 'request'
      ? 'An owner of that account on GitHub has to approve the App first. Connect it when they have.'
      : undefined;
  const trouble =
    requested ??
    (organization
      ? undefined
      : 'GitHub did not say where you came from. Begin on the GitHub page of your organization.');
  const navigate = useNavigate();
  const back = useSend(
    'POST /organizations/:organization/github/back',
    async ({ continueAt, connected }) => {
      if (continueAt !== null) window.location.replace(continueAt);
      else if (organization)
        await navigate({
          to: '/$organization/-/github',
          params: { organization: organization.slug },
          search: { back: connected === null ? 'shown' : 'connected' },
          replace: true,
        });
    },
  );
  const sent = useRef(false);
  useEffect(() => {
    if (sent.current || trouble !== undefined || !organization) return;
    sent.current = true;
    const [code, installation, error] = [
      query.get('code'),
      query.get('installation_id'),
      query.get('error'),
    ];
    back.mutate({
      params: { organization: organization.slug },
      body: {
        state,
        ...(code && { code }),
        ...(error && { error }),
        ...(installation &&
          /^\d{1,15}$/.test(installation) && { installationId: Number(installation) }),
      },
    });
  });
  const said = trouble ?? back.error?.message;
  return (
    <Page title="GitHub" width="narrow">
      {said === undefined ? (
        <div className="card">
          <Loading lines={3} />
        </div>
      ) : (
        <>
          <Notice tone="bad">{said}</Notice>
          <div>
            {organization ? (
              <Link
                to="/$organization/-/github"
                params={{ organization: organization.slug }}
                className={buttonClass()}
              >
                Back to the connected accounts
              </Link>
            ) : (
              <Link to="/" className={buttonClass()}>
                Back to the dashboard
              </Link>
            )}
          </div>
        </>
      )}
    </Page>
  );
}
