import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface Props {
  prLink: string;
  /** Its number on the built-in host; null: it is on another host. */
  number: number | null;
  params: { organization: string; domain: string };
  className?: string;
  children: ReactNode;
}

/** A link to a pull request: on the built-in host its page here, otherwise its page on the host. */
export function PullRequestLink({ prLink, number, params, className, children }: Props) {
  return number === null ? (
    <a href={prLink} rel="noopener" className={className}>
      {children}
    </a>
  ) : (
    <Link
      to="/$organization/$domain/pulls/$number"
      params={{ ...params, number: String(number) }}
      className={className}
    >
      {children}
    </Link>
  );
}
