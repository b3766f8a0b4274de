import type { ReactNode } from 'react';
import type { Attributes, CalloutKind } from '../../../../api/dashboard/contract/page-tree.ts';
import { Icon, type IconName } from '../text/icons.tsx';
import { PageLink } from './page-link.tsx';

interface BoxProps {
  attributes: Attributes;
  children: ReactNode;
}

const ICONS: Record<CalloutKind, IconName> = {
  note: 'questions',
  info: 'questions',
  tip: 'check',
  check: 'check',
  warning: 'warning',
  danger: 'warning',
};

function isKind(kind: string | undefined): kind is CalloutKind {
  return kind !== undefined && Object.hasOwn(ICONS, kind);
}

export function Callout({ attributes: { kind, title, change }, children }: BoxProps) {
  const known = isKind(kind) ? kind : 'note';
  return (
    <div className={`callout callout-${known}`} role="note" aria-label={title} data-change={change}>
      <p className="callout-title">
        <Icon name={ICONS[known]} size={16} />
        {title}
      </p>
      {children}
    </div>
  );
}

export function Card({ attributes, children }: BoxProps) {
  const { title, page, href, change } = attributes;
  return (
    <div className="page-card" data-change={change}>
      {title && (
        <p className="page-card-title">
          {(page ?? href) ? <PageLink attributes={attributes}>{title}</PageLink> : title}
        </p>
      )}
      {children}
    </div>
  );
}

export function Step({ attributes: { title, change }, children }: BoxProps) {
  return (
    <div className="page-step" data-change={change}>
      {title && <p className="page-step-title">{title}</p>}
      {children}
    </div>
  );
}

export function Details({ attributes: { title, open, change }, children }: BoxProps) {
  return (
    <details className="page-details" open={open === 'true'} data-change={change}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}

/** A parameter or a member of a response. */
export function Field({ attributes, children }: BoxProps) {
  const { name, type, kind, required, default: initial, change } = attributes;
  return (
    <div className="page-field" data-change={change}>
      <p className="row">
        <code className="page-field-name">{name}</code>
        {type && <span className="faint small">{type}</span>}
        {kind && <span className="faint small">in {kind}</span>}
        {required && <span className="badge">required</span>}
        {initial !== undefined && (
          <span className="faint small">
            default <code>{initial}</code>
          </span>
        )}
      </p>
      {children}
    </div>
  );
}

/** What is not on our list: what it is called, and what is in it. */
export function Unknown({ attributes: { name, change }, children }: BoxProps) {
  return (
    <div className="page-unknown" data-change={change}>
      <p className="faint small">
        <code>{name}</code>
      </p>
      {children}
    </div>
  );
}
