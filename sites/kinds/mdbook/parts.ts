import { between, escaped, numbered, unmarked } from '../cut-text.ts';
import { matchedParts } from '../includes.ts';
import { folderOf, joinPath } from '../paths.ts';

/** `{{#include a.md}}`, `{{#include a.rs:2:10}}`, `{{#include a.rs:name}}` for what anchors mark. */
export const INCLUDES = matchedParts(
  /(?<!\\)\{\{#(?:include|rustdoc_include|playground)[ \t]+([^\s:{}]+)(?=[\s:}])(?::([^\s{}]*)(?=[\s}]))?[^{}\n]*\}\}/g,
  ([, path = '', part = ''], from) => {
    const [, first, colon, last] = /^(\d*)(:?)(\d*)$/.exec(part) ?? [];
    const lines =
      part === ''
        ? undefined
        : first === undefined
          ? between(anchorMark('ANCHOR', part), anchorMark('ANCHOR_END', part))
          : numbered(Number(first) || undefined, Number(colon ? last : first) || undefined);
    return { file: joinPath(folderOf(from), path), cut: unmarked(lines, /\bANCHOR(?:_END)?:/) };
  },
);

function anchorMark(mark: string, name: string): RegExp {
  return new RegExp(`\\b${mark}:\\s*${escaped(name)}(?!\\S)`);
}
