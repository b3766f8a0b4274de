import type { LinkSyntax } from './kind.ts';

/** Statements of a module, also in the text of a page that is compiled as MDX. */
export const MODULE_IMPORTS: readonly LinkSyntax[] = [
  {
    kind: 'import',
    pattern: /^(?:import|export)\b[^"';`]{0,2000}?\bfrom\s*["'](?:!*[\w-]+!)*([./@][^"'\n?]+)/dgm,
  },
  { kind: 'import', pattern: /^import\s+["']([./@][^"'\n?]+)/dgm },
  { kind: 'import', pattern: /\b(?:require|import)\(\s*["'](?:!*[\w-]+!)*([./@][^"'\n?]+)/dg },
];
