/** A diff in one column, or side by side. */
export type Layout = 'unified' | 'split';
export const WIDE = '(min-width: 64rem)';
