import type { LinkSyntax, OwnLinkKind } from '../kind.ts';
import type { Site, SiteSource } from '../site-kind.ts';
import type { SphinxDocument } from './documents.ts';
import { labelsOf } from './ids.ts';

/** `` `target` `` and `` `Title <target>` `` */
const TARGET = '`(?:[^`<\\n]*<([^<>`\\n]+)>|([^`<>\\n]+))`';
const BLOCKS = '(?:include|literalinclude|figure|image|openapi)';

/** Directives and roles of reStructuredText and MyST that name files, documents and labels. */
export const REFERENCES: readonly LinkSyntax[] = [
  syntax(
    'include',
    `^[ \\t]*\\.\\.[ \\t]+(?:\\|[^|\\n]+\\|[ \\t]+)?${BLOCKS}::[ \\t]+(\\S+)[ \\t]*$`,
  ),
  syntax('include', '^[ \\t]+:file:[ \\t]+(\\S+)[ \\t]*$'),
  syntax('include', `:download:${TARGET}`),
  syntax('link', `:doc:${TARGET}`),
  syntax('name', `:(?:num)?ref:${TARGET}`),
  syntax('include', `^[ \\t>]*[\`:~]{3,}\\{${BLOCKS}\\}[ \\t]+([^\\s<>]+)[ \\t]*$`),
  syntax('include', `\\{download\\}${TARGET}`),
  syntax('link', `\\{doc\\}${TARGET}`),
  syntax('name', `\\{(?:num)?ref\\}${TARGET}`),
  // `autosectionlabel_prefix_document` puts the document before each section.
  syntax('top', '(?:\\{(?:num)?ref\\}|:(?:num)?ref:)`(?:[^`<\\n]*<)?([\\w./-]+):[^`\\n]'),
  { kind: 'link', pattern: /[(<]project:([^()<>\s#]+)/dg },
  { kind: 'link', pattern: /^[ \t]*:link:[ \t]+(\S+)[ \t]*\n[ \t]*:link-type:[ \t]+doc\b/dgm },
];

function syntax(kind: OwnLinkKind, source: string): LinkSyntax {
  return { kind, pattern: new RegExp(source, 'dgm') };
}

/** The page that has a label. */
export function filesByLabel(
  source: SiteSource,
  documents: readonly SphinxDocument[],
  outline: Site['outline'],
): (label: string) => string | undefined {
  let known: Map<string, string> | undefined;
  return label => {
    known ??= new Map(
      documents.flatMap(({ file, isMarkdown }) =>
        labelsOf(isMarkdown ? outline(file).text : (source.read(file) ?? '')).map(
          name => [name.toLowerCase(), file] as const,
        ),
      ),
    );
    return known.get(label.toLowerCase());
  };
}
