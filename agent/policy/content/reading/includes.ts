import { type Report, squeeze } from '../item.ts';
import { judgeTemplate } from './templates.ts';

/** Templates that some generator runs in code blocks too. */
const TEMPLATES =
  /\{\{(?:[<%]|\s{0,20}#(?:include|rustdoc_include|playground|playpen|shiftinclude|template|title)\b)/g;
/** Marks by which some generator puts a file into the page, in code blocks too. */
const INCLUDES: readonly RegExp[] = [
  /^[ \t]*(-+8<-+.*)$/gm, // pymdownx.snippets
  /(<!--\s{0,20}@include:[^\n]{0,500})/g, // VitePress
  /^[ \t]*(<<<(?!<)[ \t]*[^\s<][^\n]{0,500})/gm, // VitePress
  /^[ \t]*(@\[code[^\]\n]{0,200}\]\([^\n]{0,500})/gm, // VuePress
  /^[ \t]*(@include\([^\n]{0,500})/gm, // VuePress
  /(\]\([^)\n]{0,500}["']\s{0,5}:include\b)/g, // Docsify
  /(\{![^\n{}!]{1,500}!\})/g, // markdown-include
  /(\{@include[^\n]{0,500})/g, // TypeDoc
  /(!\[\[[^\n]{0,500})/g, // Obsidian
];

/** Judges what puts other files into a page. */
export function judgeIncludes(text: string, report: Report): void {
  for (const match of text.matchAll(TEMPLATES)) judgeTemplate(text, match.index, report);
  for (const pattern of INCLUDES)
    for (const match of text.matchAll(pattern)) {
      const source = squeeze(match[1] ?? '');
      report(match.index, {
        rule: 'template',
        key: `snippet ${source}`,
        what: 'a mark that includes another file',
        instead: 'Write the text itself.',
        hint: source.slice(0, 12),
      });
    }
}
