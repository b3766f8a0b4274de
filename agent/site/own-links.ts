import type { OutlineLink } from '../../sites/outline/page-outline.ts';
import type { SiteKindName } from '../../sites/kinds/site-kind.ts';

/**
 * How a link finds its file. `include`: a path that is exactly that of a file; `ref`: Hugo looks for
 * it beside the page, from the top, then by name alone; `label`: a target of Sphinx; `root`: from the
 * top of the docs.
 */
export type LinkKind = OutlineLink['kind'] | 'include' | 'ref' | 'label' | 'root';

export interface OwnLink {
  kind: LinkKind;
  /** It may be an example: only one that names a file counts. */
  isOwn: true;
  /** As written. */
  url: string;
  /** 1-based. */
  line: number;
  /** Offsets in the page's text. */
  range: { start: number; end: number };
}

interface Syntax {
  kind: LinkKind;
  /** The first group that takes part is the address. */
  pattern: RegExp;
}

/** `` `target` `` and `` `Title <target>` `` */
const TARGET = '`(?:[^`<\\n]*<([^<>`\\n]+)>|([^`<>\\n]+))`';
const QUOTED = `(?:"([^"\\n]+)"|'([^'\\n]+)'|\`([^\`\\n]+)\`|([^\\s"'\`>%=]+)(?=[\\s>%]))`;
const BLOCKS = '(?:include|literalinclude|figure|image|openapi)';

/** Statements of a module, also in the text of a page that is compiled as MDX. */
const IMPORTS: Syntax[] = [
  {
    kind: 'import',
    pattern: /^(?:import|export)\b[^"';`]{0,2000}?\bfrom\s*["'](?:!*[\w-]+!)*([./@][^"'\n?]+)/dgm,
  },
  { kind: 'import', pattern: /^import\s+["']([./@][^"'\n?]+)/dgm },
  { kind: 'import', pattern: /\b(?:require|import)\(\s*["'](?:!*[\w-]+!)*([./@][^"'\n?]+)/dg },
];

const RST: Syntax[] = [
  syntax(
    'include',
    `^[ \\t]*\\.\\.[ \\t]+(?:\\|[^|\\n]+\\|[ \\t]+)?${BLOCKS}::[ \\t]+(\\S+)[ \\t]*$`,
  ),
  syntax('include', '^[ \\t]+:file:[ \\t]+(\\S+)[ \\t]*$'),
  syntax('include', `:download:${TARGET}`),
  syntax('link', `:doc:${TARGET}`),
  syntax('label', `:(?:num)?ref:${TARGET}`),
];

const SYNTAX: Partial<Record<SiteKindName, readonly Syntax[]>> = {
  docusaurus: IMPORTS,
  starlight: IMPORTS,
  vitepress: [
    ...IMPORTS,
    { kind: 'include', pattern: /<!--\s*@include:\s*([^\s<>{}#]+?)(?=\s|-->|[{#])/dg },
    { kind: 'include', pattern: /^[ \t]*<<<[ \t]+([^\s{}#[\]]+)/dgm },
  ],
  mkdocs: [
    { kind: 'include', pattern: /!!swagger ([^\s<>!]+)!!/dg },
    { kind: 'include', pattern: /\[OAD\(["']?([^)"'\n]+)/dg },
  ],
  mdbook: [
    {
      kind: 'include',
      pattern: /(?<!\\)\{\{#(?:include|rustdoc_include|playground)[ \t]+([^\s:{}]+)/dg,
    },
  ],
  hugo: [
    syntax('ref', `\\{\\{[<%][ \\t]*(?:rel)?ref[ \\t]+${QUOTED}`),
    syntax('ref', `\\{\\{[<%][ \\t]*(?:rel)?ref[ \\t][^<>{}\\n]*?\\bpath[ \\t]*=[ \\t]*${QUOTED}`),
  ],
  sphinx: [
    ...RST,
    syntax('include', `^[ \\t>]*[\`:~]{3,}\\{${BLOCKS}\\}[ \\t]+([^\\s<>]+)[ \\t]*$`),
    syntax('include', `\\{download\\}${TARGET}`),
    syntax('link', `\\{doc\\}${TARGET}`),
    syntax('label', `\\{(?:num)?ref\\}${TARGET}`),
    // `autosectionlabel_prefix_document` puts the document before each section.
    syntax('root', '(?:\\{(?:num)?ref\\}|:(?:num)?ref:)`(?:[^`<\\n]*<)?([\\w./-]+):[^`\\n]'),
    { kind: 'link', pattern: /[(<]project:([^()<>\s#]+)/dg },
    { kind: 'link', pattern: /^[ \t]*:link:[ \t]+(\S+)[ \t]*\n[ \t]*:link-type:[ \t]+doc\b/dgm },
  ],
};

/** Files in front matter: `image: ../../assets/a.png`. */
const MATTER = /^[ \t]*(?:- +)?(?:[\w-]+:[ \t]+)?["']?(\.\.?\/[^\s"'#]+)["']?[ \t]*\r?$/dgm;

/** Pages in front matter: `next: /guide/use`, `link: /guide/use`. */
const MATTER_LINK =
  /^[ \t]*(?:- +)?(?:prev|next|previous|link|href):[ \t]+["']?(\/(?!\/)[^\s"'#]*)["']?[ \t]*\r?$/dgm;

/**
 * Links in a generator's own syntax, which the Markdown parser takes for text or code. Where such a
 * thing is only shown, in a code block, it rarely names a file that exists.
 */
export function ownLinks(kind: SiteKindName, text: string): OwnLink[] {
  const links: OwnLink[] = [];
  const add = (one: LinkKind, found: RegExpExecArray): void => {
    const group = found.findIndex((value, index) => index > 0 && value !== undefined);
    const [start, end] = found.indices?.[group] ?? [0, 0];
    const line = text.slice(0, start).split('\n').length;
    const url = text.slice(start, end);
    links.push({ kind: one, isOwn: true, url, line, range: { start, end } });
  };
  for (const { kind: one, pattern } of SYNTAX[kind] ?? [])
    for (const found of text.matchAll(pattern)) add(one, found);
  const matter = /^---\r?\n[\s\S]*?\n---[ \t]*\r?$/m.exec(text);
  if (matter?.index === 0) {
    for (const found of matter[0].matchAll(MATTER)) add('include', found);
    for (const found of matter[0].matchAll(MATTER_LINK)) add('link', found);
  }
  return links.filter(({ url }) => url !== '');
}

function syntax(kind: LinkKind, source: string): Syntax {
  return { kind, pattern: new RegExp(source, 'dgm') };
}
