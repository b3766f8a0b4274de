import { Link } from '@tanstack/react-router';
import { usePlace } from '../../data/place.ts';

/** A cited page: on its site, or, where the project has no site address, in the reader. */
export function SourceLink({ url, title }: { url: string; title: string }) {
  const { organization, project } = usePlace();
  if (/^https?:/i.test(url))
    return (
      <a className="badge" href={url} target="_blank" rel="noopener noreferrer">
        {title}
      </a>
    );
  if (!url.startsWith('/') || !organization || !project)
    return (
      <span className="badge" title={url}>
        {title}
      </span>
    );
  const [path = '/', hash] = url.split('#', 2);
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
