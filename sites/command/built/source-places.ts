import { decoded } from '../../kinds/paths.ts';
import { lineCounter } from '../../outline/line-counter.ts';

/** A link where people wrote it, or what looks like one. */
export interface SourceLink {
  url: string;
  file: string;
  /** 1-based. */
  line: number;
}

/** What a link of the built site may have been written as. */
export interface Wanted {
  /** As in the HTML. */
  url: string;
  /** Last parts of paths that it may name: of the address, and of the file of the page there. */
  tails: readonly string[];
  anchor: string | null;
  isOwnPage: boolean;
}

/** How sure it is that a source link became the built one: 0 to 4. */
export function likeness(source: string, wanted: Wanted): number {
  if (source === wanted.url || decoded(source) === decoded(wanted.url)) return 4;
  const { tail, anchor } = partsOf(source);
  const isTarget = tail === '' ? wanted.isOwnPage : wanted.tails.includes(tail);
  if (isTarget && (anchor ?? '') === (wanted.anchor ?? '')) return 3;
  if (isTarget && tail !== '') return 2;
  return anchor !== null && anchor === wanted.anchor ? 1 : 0;
}

/** The last part of a path without what generators take away, and the anchor. */
export function partsOf(url: string): { tail: string; anchor: string | null } {
  const [, path = '', anchor] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/s.exec(url) ?? [];
  return {
    tail: tailOf(path),
    anchor: anchor === undefined || anchor === '' ? null : decoded(anchor),
  };
}

export function tailOf(path: string): string {
  const parts = decoded(path)
    .toLowerCase()
    .replace(/\.(?:mdx?|mdoc|markdown|html?|rst|adoc|asciidoc|qmd|ipynb|txt)$/, '')
    .split('/')
    .filter(part => part !== '' && part !== '.' && part !== '..');
  if (/^_?(?:index|readme)$/.test(parts.at(-1) ?? '')) parts.pop();
  return (parts.at(-1) ?? '').replace(/^\d+[-_.]\s*(?=\D)/, '');
}

/** Everything in a text that may be an address: in quotes, brackets, back quotes, or behind a colon. */
export function likelyAddresses(file: string, text: string): SourceLink[] {
  const linesBefore = lineCounter(text);
  return Array.from(text.matchAll(ADDRESS), match => ({
    // AsciiDoc has the kind of a link in front of it.
    url: (match[1] ?? '').replace(/^(?:link|xref|image):{1,2}/, ''),
    file,
    line: 1 + linesBefore(match.index),
  })).filter(({ url }) => /[/#.]/.test(url));
}

const ADDRESS = /(?<=[("'`<=[\s:|])([^\s()"'`<>[\]{}|]{1,500})/g;
