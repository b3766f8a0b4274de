import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface Props {
  prLink: string;
  /** On the built-in host. */
  number: number | null;
  params: { organization: string; domain: string };
  className?: string;
  children: ReactNode;
}

/**
 * Leads to a pull request: to its page here where the built-in host has it, else to where it is.
 */
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
