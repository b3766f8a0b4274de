import { Link } from '@tanstack/react-router';
import { usePlace } from '../../data/place.ts';

/** The pages that an answer cites; nothing if there are none. */
export function SourceList({ sources }: { sources: readonly { url: string; title: string }[] }) {
  if (sources.length === 0) return null;
  return (
    <ul className="row sources" aria-label="Sources">
      {sources.map(source => (
        <li key={source.url}>
          <SourceLink {...source} />
        </li>
      ))}
    </ul>
  );
}

/** A cited page: on its site, or, where Docent itself shows it, in the reader. */
export function SourceLink({ url, title }: { url: string; title: string }) {
  const { organization, project } = usePlace();
  const shown = organization && project && pathShownHere(url, organization.slug, project.domain);
  if (shown === undefined && /^https?:/i.test(url))
    return (
      <a className="badge" href={url} target="_blank" rel="noopener noreferrer">
        {title}
      </a>
    );
  if (!shown?.startsWith('/') || !organization || !project)
    return (
      <span className="badge" title={url}>
        {title}
      </span>
    );
  const [path = '/', hash] = shown.split('#', 2);
  return (
    <Link
      className="badge"
      to="/$organization/$domain/docs/$"
      params={{ organization: organization.slug, domain: project.domain, _splat: path.slice(1) }}
      {...(hash && { hash })}
    >
      {title}
    </Link>
  );
}

/** The path of a page that Docent shows; undefined of another site. */
function pathShownHere(url: string, organization: string, domain: string): string | undefined {
  if (url.startsWith('/')) return url; // of an answer of 0.1.0
  const tops = [`/dashboard/${organization}/${domain}/docs`, `/sites/${domain}`];
  const top = tops
    .map(each => `${location.origin}${each}`)
    .find(each => url.startsWith(`${each}/`));
  return top && url.slice(top.length);
}
