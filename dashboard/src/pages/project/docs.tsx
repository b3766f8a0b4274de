import { getRouteApi, useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import { Button } from '../../components/controls/button.tsx';
import { Loading } from '../../components/feedback/loaded.tsx';
import { Reader } from '../../components/reader/reader.tsx';
import { addressPath } from '../../components/reader/site-source.ts';
import { projectSource } from '../../components/reader/sources.ts';
import { useProject } from '../../data/place.ts';

const route = getRouteApi('/app/$organization/$domain/docs/$');

const DocsAssistant = lazy(async () => ({
  default: (await import('../../components/assistant/docs-assistant.tsx')).DocsAssistant,
}));

/** The project's docs as their readers see them, at the base or at a branch. */
export function DocsPage() {
  const { project, params } = useProject();
  const { _splat: splat = '' } = route.useParams();
  const { ref } = route.useSearch();
  const router = useRouter();
  const [asks, setAsks] = useState(false);
  const hash = router.state.location.hash;
  const source = useMemo(() => {
    const address = (path: string, anchor?: string) =>
      `/${params.organization}/${params.domain}/docs${addressPath(path)}` +
      (ref === undefined ? '' : `?ref=${encodeURIComponent(JSON.stringify(ref))}`) +
      (anchor === undefined ? '' : `#${encodeURIComponent(anchor)}`);
    return projectSource(project.id, ref, {
      address: (path, anchor) => `/dashboard${address(path, anchor)}`,
      go: (path, anchor) => router.history.push(`/dashboard${address(path, anchor)}`),
    });
  }, [project.id, ref, params.organization, params.domain, router]);
  const path = splat === '' ? '' : `/${splat}`;
  return (
    <div className="page page-wide">
      {ref !== undefined && (
        <p className="reader-ref">
          Preview of the branch <code>{ref}</code>
        </p>
      )}
      <Reader
        source={source}
        path={path}
        hash={hash}
        actions={
          <Button aria-pressed={asks} onClick={() => setAsks(!asks)}>
            Ask the assistant
          </Button>
        }
        side={
          asks && (
            <Suspense fallback={<Loading lines={4} />}>
              <DocsAssistant projectId={project.id} path={path} />
            </Suspense>
          )
        }
      />
    </div>
  );
}
