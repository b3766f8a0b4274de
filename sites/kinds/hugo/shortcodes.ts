import { keptOutline } from '../../outline/kept-outlines.ts';
import type { PageOutline } from '../../outline/page-outline.ts';
import { onceForEach, shownPages } from '../includes.ts';
import type { SiteSource } from '../site-kind.ts';
import type { HugoConfig } from './config.ts';
import type { HugoOutline } from './heading-ids.ts';
import { partsOf } from './parts.ts';
import { REFERENCES } from './references.ts';

/** Pages with what shortcodes put in; links of a page are its own, with those that shortcodes make. */
export function hugoPages(source: SiteSource, config: HugoConfig) {
  const shown = shownPages(source, [partsOf(source, config)], (file, text): HugoOutline => {
    const outline = keptOutline(file, text);
    const before = (line: number) => outline.headings.filter(one => one.line < line).length;
    const terms = config.headings.namesTerms ? termsOf(text) : [];
    return {
      ...outline,
      terms: terms.map(({ line, term }) => ({ text: term, before: before(line) })),
    };
  });
  const outline = onceForEach((file): PageOutline => {
    const { text, links } = source.outline(file);
    return { ...shown.outline(file), text, links: [...links, ...referencesOf(text)] };
  });
  return { shown, outline };
}

/** `{{< ref "/a/b#c" >}}`, `{{% relref path="a/b" %}}`: what leads nowhere stops the build. */
function referencesOf(text: string): PageOutline['links'] {
  if (!/\{\{[<%][ \t]*(?:rel)?ref\b/.test(text)) return [];
  return text.split('\n').flatMap((line, index) =>
    REFERENCES.flatMap(({ pattern }) =>
      Array.from(line.matchAll(pattern), ([, ...urls]) => ({
        kind: 'link' as const,
        url: urls.find(url => url !== undefined) ?? '',
        line: index + 1,
        element: 'ref',
        isName: true as const,
      })),
    ),
  );
}

/** Lines that a line with `:` and a definition follows. */
function termsOf(text: string): { line: number; term: string }[] {
  const lines = linesOutsideCode(text);
  return lines.flatMap((line, index) => {
    if (line.trim() === '' || /^\s*[:#>|-]/.test(line)) return [];
    const next = lines[index + 1]?.trim() === '' ? lines[index + 2] : lines[index + 1];
    const isTerm = /^ {0,3}: /.test(next ?? '') && !/^(?: {2,}|\t)/.test(line);
    return isTerm ? [{ line: index + 1, term: line.trim() }] : [];
  });
}

/** Lines of code are empty. */
function linesOutsideCode(text: string): string[] {
  let fence: string | undefined;
  return text.split('\n').map(line => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark && fence === undefined) fence = mark;
    else if (mark && fence !== undefined && mark.startsWith(fence)) {
      fence = undefined;
      return '';
    }
    return fence === undefined ? line : '';
  });
}
