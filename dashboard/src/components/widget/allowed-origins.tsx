import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { originAllowed } from '../../../../shared/allowed-origins.ts';
import { useProject } from '../../data/place.ts';
import { keysQuery, projectQuery } from '../../data/queries.ts';
import { Loaded } from '../feedback/loaded.tsx';
import { Notice } from '../feedback/notice.tsx';

/** Where each assistant key may be used, and the origin to add if the site's is missing. */
export function AllowedOrigins() {
  const { project, params } = useProject();
  const keys = useQuery(keysQuery(project.id));
  const site = useQuery(projectQuery(project.id)).data?.siteUrl;
  const origin = site && URL.canParse(site) ? new URL(site).origin : undefined;
  return (
    <section className="card card-pad" aria-labelledby="origins">
      <h2 id="origins">Where it works</h2>
      <Loaded query={keys}>
        {({ keys: all }) => {
          const usable = all.filter(key => key.kind === 'assistant' && key.state === 'valid');
          const lacking = usable.filter(
            key => origin && !originAllowed(key.allowedOrigins, origin),
          );
          return (
            <div className="stack-tight">
              {usable.length === 0 && <Notice tone="warn">There is no assistant key yet.</Notice>}
              {lacking.map(key => (
                <Notice key={key.id} tone="warn">
                  “{key.name}” may not be used on your site: add {origin} to its allowed origins.
                </Notice>
              ))}
              <ul className="small soft">
                {usable.map(key => (
                  <li key={key.id}>
                    {key.name}: {key.allowedOrigins.join(', ') || 'any site'}
                  </li>
                ))}
              </ul>
              <p className="small">
                <Link to="/$organization/$domain/keys" params={params}>
                  API keys
                </Link>
              </p>
            </div>
          );
        }}
      </Loaded>
    </section>
  );
}
