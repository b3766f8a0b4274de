import { isRemote, judgeAddress } from '../addresses.ts';
import { type Report, squeeze } from '../item.ts';
import { countWork } from '../work.ts';

const SAFE = new RegExp(
  '^(?:note|warning|tip|important|caution|danger|hint|seealso|attention|error|admonition|todo|' +
    'toctree|code-block|code|sourcecode|highlight|image|figure|list-table|table|contents|' +
    'versionadded|versionchanged|deprecated|rubric|glossary|index|math|topic|sidebar|epigraph|' +
    'container|class|rst-class|cssclass|centered|hlist|tab-set|tab-item|dropdown|grid|' +
    'currentmodule|module|default-domain|program|option|envvar|confval|only|meta|replace|' +
    'productionlist|parsed-literal|line-block|compound|pull-quote|highlights|footer|header)$',
);

/** Judges a page of reStructuredText: its directives, their options, and where its links lead. */
export function judgeRst(text: string, report: Report): void {
  const directive = /^([ \t]*)\.\.[ \t]+(?:\|[^|\n]+\|[ \t]+)?([\w:.+-]+?)::(?:[ \t]+([^\n]*))?$/gm;
  for (const match of text.matchAll(directive)) {
    const [whole, indent = '', name = '', argument = ''] = match;
    const block = blockBelow(text, match.index + whole.length, indent.length);
    const remote = isRemote(argument) && !/^(?:image|figure)$/.test(name);
    if (SAFE.test(name) && !remote && !/^\s*:(?:file|url):/m.test(block)) continue;
    const exact =
      remote ||
      /raw|include|eval|exec|plot|ifconfig|jupyter|ipython|doctest|:url:/.test(name + block);
    report(match.index, {
      rule: 'template',
      key: exact ? `directive ${name} ${squeeze(argument + block)}` : `directive ${name}`,
      what: `the directive \`${name}\`, which no page of the site uses so`,
      instead: 'Write the text itself, or use a directive that other pages use.',
      hint: `${name}::`,
    });
  }
  for (const match of text.matchAll(
    /^\.\.[ \t]+_[^\n]*?:[ \t]+(\S+)|<([^<>\n]+)>`_|^__[ \t]+(\S+)/gm,
  ))
    judgeAddress(match[1] ?? match[2] ?? match[3] ?? '', match.index, 'a link', report);
}

/** The lines below that are indented further, up to 20,000 characters. */
function blockBelow(text: string, at: number, indent: number): string {
  const below = text.slice(at, at + 20_000);
  let end = 0;
  while (end < below.length) {
    const next = below.indexOf('\n', end + 1);
    const line = below.slice(end + 1, next < 0 ? undefined : next);
    if (/\S/.test(line) && line.search(/\S/) <= indent) break;
    end = next < 0 ? below.length : next;
  }
  countWork(end);
  return below.slice(0, end);
}
