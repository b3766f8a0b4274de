/** A cited page. A relative address is a path of the docs site, so it is not a link here. */
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
