import type { LeftFinding } from '../../shared/jobs/job.ts';

/**
 * One thing that a validator found. Errors go back to the model to fix; the rest is only reported,
 * but for prose, which goes back once.
 */
export interface Finding {
  path: string;
  /** 1-based; null if the whole file is meant. */
  line: number | null;
  rule: 'markdown' | 'mdx' | 'frontmatter' | 'link' | 'navigation' | 'anchor' | 'prose';
  severity: 'error' | 'warning' | 'suggestion';
  message: string;
}

/**
 * What goes back to the model before the turn may end: errors, and in the first round also what the
 * repository's rules of prose say, which never keeps a turn from ending.
 */
export function toRepair(findings: readonly Finding[], isFirstRound: boolean): Finding[] {
  return findings.filter(({ rule, severity, line }) =>
    rule === 'prose'
      ? isFirstRound && line !== null && severity !== 'suggestion'
      : severity === 'error',
  );
}

/** As events and rows keep them. */
export function reported({ path, line, rule, message }: Finding): LeftFinding {
  return { path, line, rule, message };
}
