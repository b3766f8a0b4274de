/**
 * One thing that a validator found. Errors go back to the model to fix; warnings are only reported.
 */
export interface Finding {
  path: string;
  /** 1-based; null if the whole file is meant. */
  line: number | null;
  rule: 'markdown' | 'mdx' | 'frontmatter' | 'link' | 'image' | 'navigation' | 'anchor';
  severity: 'error' | 'warning';
  message: string;
}
