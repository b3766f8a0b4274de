import type { MouseEvent, ReactNode } from 'react';
import type { Attributes } from '../../../../api/dashboard/contract/page-tree.ts';
import { useSite } from './site-source.ts';

/** A link of a page: to a page here, or to another site. One that leads nowhere says so. */
export function PageLink({
  attributes,
  children,
}: {
  attributes: Attributes;
  children: ReactNode;
}) {
  const site = useSite();
  const { page, hash, href, missing, title, id, kind } = attributes;
  if (page !== undefined)
    return (
      <a
        id={id}
        title={title}
        href={site.address(page, hash)}
        onClick={event => {
          if (!isPlainClick(event)) return;
          event.preventDefault();
          site.go(page, hash);
        }}
      >
        {children}
      </a>
    );
  if (href !== undefined && /^(?:https?|mailto):/.test(href))
    return (
      <a id={id} title={title} href={href} rel="noopener noreferrer nofollow" target="_blank">
        {kind === 'embed' && 'Open: '}
        {children}
      </a>
    );
  return (
    <span id={id} className="page-missing" title={missing && `Not found: ${missing}`}>
      {children}
    </span>
  );
}

/** Images of the repository come from our server; those of other sites are links. */
export function PageImage({ attributes }: { attributes: Attributes }) {
  const site = useSite();
  const { file, alt = '', title, width, href, change } = attributes;
  if (file !== undefined)
    return (
      <img
        src={site.image(file)}
        alt={alt}
        title={title}
        width={width}
        loading="lazy"
        data-change={change}
      />
    );
  return (
    <span className="page-image" data-change={change}>
      {href ? <PageLink attributes={{ href }}>{alt || 'Image'}</PageLink> : alt || 'Image'}
    </span>
  );
}

function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}
