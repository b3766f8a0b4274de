import type { LinkSyntax, OwnLinkKind } from '../../sites/kinds/kind.ts';

export interface OwnLink {
  kind: OwnLinkKind;
  /** It may be an example: only one that names a file counts. */
  isOwn: true;
  /** As written. */
  url: string;
  /** 1-based. */
  line: number;
  /** Offsets in the page's text. */
  range: { start: number; end: number };
}

/** Files in front matter: `image: ../../assets/a.png`. */
const MATTER = /^[ \t]*(?:- +)?(?:[\w-]+:[ \t]+)?["']?(\.\.?\/[^\s"'#]+)["']?[ \t]*\r?$/dgm;

/** Pages in front matter: `next: /guide/use`, `link: /guide/use`. */
const MATTER_LINK =
  /^[ \t]*(?:- +)?(?:prev|next|previous|link|href):[ \t]+["']?(\/(?!\/)[^\s"'#]*)["']?[ \t]*\r?$/dgm;

/**
 * Links in a generator's own syntax, which the Markdown parser takes for text or code. Where such a
 * thing is only shown, in a code block, it rarely names a file that exists.
 */
export function ownLinks(syntaxes: readonly LinkSyntax[], text: string): OwnLink[] {
  const links: OwnLink[] = [];
  const add = (kind: OwnLinkKind, found: RegExpExecArray): void => {
    const group = found.findIndex((value, index) => index > 0 && value !== undefined);
    const [start, end] = found.indices?.[group] ?? [0, 0];
    const line = text.slice(0, start).split('\n').length;
    const url = text.slice(start, end);
    links.push({ kind, isOwn: true, url, line, range: { start, end } });
  };
  for (const { kind, pattern } of syntaxes)
    for (const found of text.matchAll(pattern)) add(kind, found);
  const matter = /^---\r?\n[\s\S]*?\n---[ \t]*\r?$/m.exec(text);
  if (matter?.index === 0) {
    for (const found of matter[0].matchAll(MATTER)) add('include', found);
    for (const found of matter[0].matchAll(MATTER_LINK)) add('link', found);
  }
  return links.filter(({ url }) => url !== '');
}
