/**
 * One thing that a validator found. Errors go back to the model to mend; warnings are only told.
 */
export interface Finding {
  path: string;
  /** 1-based; null where the whole file is meant. */
  line: number | null;
  rule: 'markdown' | 'mdx' | 'frontmatter' | 'link' | 'image' | 'navigation' | 'anchor';
  severity: 'error' | 'warning';
  message: string;
}
