/**
 * A page that an answer cites. A relative address is a path of the docs site, which is not here.
 */
export function SourceLink({ url, title }: { url: string; title: string }) {
  return /^https?:/i.test(url) ? (
    <a className="badge" href={url} target="_blank" rel="noopener noreferrer">
      {title}
    </a>
  ) : (
    <span className="badge" title={url}>
      {title}
    </span>
  );
}
