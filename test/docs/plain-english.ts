import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** The list of words that questions contain: it is data, not prose. */
const EXCEPT = ['offline-model/answers/question-form.ts'];
/** What is free of the phrases below and must stay so. Add a folder once it is clean. */
export const CLEAN = [
  'README.md',
  'AGENTS.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'docs',
  'activities',
  'agent',
  'api',
  'bench',
  'cli',
  'clients',
  'dashboard/src',
  'db',
  'hosts',
  'jobs',
  'offline-model',
  'ops',
  'search',
  'shared',
  'sites',
  'widget',
  'worker',
  'workflows',
];
const PER = '(?:month|day|hour|minute|second|turn|session|answer|call|million)';

/** Phrases that make readers stop, as regular expressions, and what to write instead. */
const PHRASES: readonly [phrase: string, instead: string][] = [
  ['mend(?:s|ed|ing)?', 'fix, repair'],
  ['anew', 'again'],
  ['whoever', 'anyone who, the person who'],
  ['somebody', 'someone, a person'],
  ['at rest', 'idle'],
  ['at work', 'running, active'],
  ['(?:is|are) used up', 'is exceeded'],
  ['(?:has|have) run out', 'has expired'],
  ['for good', 'permanently'],
  ['for ever', 'forever'],
  ['unasked', 'by default'],
  ['out of reach', 'cannot be reached'],
  ['under way', 'running, in progress'],
  ['(?:go|goes|going|went|gone) on', 'continue'],
  ['(?:bring|brings|brought|bringing) (?:\\S+ ){0,6}up to date', 'update'],
  ['(?:come|comes|came|bring|brings|brought) about', 'happen, cause'],
  ['held against', 'checked against'],
  ['(?:is|are|was|were|be) told', 'gets, is informed'],
  ['(?:is|are) good (?:once|for)', 'is single-use, is valid for'],
  ['works once and runs out', 'single use, expires'],
  ['turned back', 'cancelled'],
  ['half a character', 'an unpaired surrogate'],
  ['the present (?:state|moment)', 'the current state, now'],
  ['as many \\S+ \\S+ as (?:it|they) may', 'too many'],
  ['(?:with|by|through) which somebody', 'to'],
  ['one a line', 'one per line'],
  ['by commas', 'comma-separated'],
  ['be (?:they|it) in', 'in … or in'],
  ['such a one', 'it'],
  ['(?<!there )(?:is|are) no (?!longer|more)\\S+', 'is not a'],
  [
    `(?:times|requests|tokens|dollars|calls|attempts|uses|searches|\\d+) an? (?:calendar )?${PER}`,
    'per',
  ],
  ['takes (?:a|an|one) (?:whole )?(?:number|text|string|address|boolean|list)', 'must be'],
  [
    '(?:file|folder|table|page|history|histories|index|field|stream|database|request)s? holds?',
    'contains',
  ],
  ['(?:make|makes|made|making) (?:a|an) (?:new )?(?:key|project|account|repository)', 'create'],
  ['(?<=^|[.:;] )where (?:the|a|an|it|they|that|there|no|nobody|this|one) [^.?|]*,', 'if, when'],
];

/**
 * For readers' pages alone: everyday verbs where the field has a technical one. "Away, ended, come,
 * hold, judged" make a native reader stop.
 */
const GLOSSARY: readonly [phrase: string, instead: string][] = [
  ['(?:is|are|was|were) away', 'is down, is unavailable'],
  ['(?:taken|took|given) away', 'removed, disconnected'],
  ['why \\S+(?: \\S+){0,3} ended', 'exited, stopped'],
  ['(?:end|ended|ends) (?:by itself|by themselves)', 'exit unexpectedly, pass without action'],
  ['by (?:itself|themselves)', 'automatically, alone'],
  ['(?:what|which) (?:came|comes|has come) of', 'the outcome of'],
  ['(?:comes?|came) (?:whole|to the same)', 'is complete, does not diverge'],
  ['takes? (?:it|them|th[eo]se \\w+) back', 'resets, reverts'],
  ['stands? still', 'is paused'],
  ['(?:what|that|which) stands?', 'is, contains'],
  ['(?:holds?|held) (?:a|an|the|no|text|for)', 'contains, applies to, blocks'],
  ['did not hold', 'failed validation'],
  ['(?:judge|judges|judging) (?:a|the) (?:page|file)|(?:is|are|be) judged', 'evaluate, check'],
  ['put right', 'repaired'],
  ['(?:is|are) heard', 'count'],
  ['(?:has|have|was|were|be) given up', 'discarded'],
  ['in the moment (?:in which|when)', 'just as'],
  ['(?:every|any|each) doubt', 'a request whose result is unknown'],
  ['whatever (?:is|it|they|their|the)', 'even if, of any'],
  ['goes? with', 'disappears with'],
  ['where (?:nothing|none) [^.|]*,', 'if'],
  ['in all(?= and|,|\\.|;)', 'in total'],
  ['ever more \\w+ly', 'at growing intervals, increasingly'],
  ['of (?:theirs|hers|ours)', 'their, our'],
  ['several at once', 'several at the same time'],
];
/** Words between two full stops, colons or semicolons. */
const LONGEST_SENTENCE = 32;

interface Found {
  path: string;
  line: number;
  phrase: string;
  instead: string;
}

const patterns = (phrases: typeof PHRASES) =>
  phrases.map(([phrase, instead]) => ({
    pattern: new RegExp(`(?<![\\w-])(?:${phrase.replaceAll(' ', '\\s+')})(?![\\w-])`, 'gi'),
    instead,
  }));
const EVERYWHERE = patterns(PHRASES);
const FOR_READERS = [
  ...EVERYWHERE,
  ...patterns(GLOSSARY),
  {
    pattern: new RegExp(`(?:[^\\s.:;?!|]+[ ,]+){${LONGEST_SENTENCE}}[^\\s.:;?!|]+`, 'g'),
    instead: `at most ${LONGEST_SENTENCE} words`,
  },
];
/** Contributors' pages are reports and records, as they were written. */
const isForReaders = (path: string) =>
  /^(?:docs\/|README|SECURITY).*\.md$/.test(path) &&
  !/^docs\/(?:contributing|decisions)/.test(path);

/** Code in Markdown and the markers of comment lines, replaced by as many spaces. */
function prose(text: string, isMarkdown: boolean): string {
  const blank = (found: string) => found.replaceAll(/[^\n]/g, ' ');
  if (!isMarkdown) return text.replaceAll(/^[ \t]*(?:\*|\/\/|--)/gm, blank);
  return text.replaceAll(/^(`{3,})[^]*?^\1$/gm, blank).replaceAll(/`[^`\n]+`/g, 'x');
}

/** The phrases in one text, with their lines. */
export function findPhrases(path: string, text: string): Found[] {
  const read = prose(text, /\.mdx?$/.test(path));
  return (isForReaders(path) ? FOR_READERS : EVERYWHERE).flatMap(({ pattern, instead }) =>
    [...read.matchAll(pattern)].map(({ 0: phrase, index }) => ({
      path,
      line: read.slice(0, index).split('\n').length,
      phrase: phrase.replaceAll(/\s+/g, ' '),
      instead,
    })),
  );
}

/** The phrases in a file, or in all Markdown and source files of a folder. */
export function findIn(path: string): Found[] {
  const files = statSync(join(ROOT, path)).isDirectory()
    ? readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' })
        .filter(name => /\.(?:mdx?|tsx?)$/.test(name) && !name.includes('node_modules'))
        .map(name => join(path, name))
    : [path];
  return files
    .filter(file => !EXCEPT.includes(file))
    .flatMap(file => findPhrases(file, readFileSync(join(ROOT, file), 'utf8')));
}

if (process.argv[1] === import.meta.filename) {
  for (const path of CLEAN) {
    const found = findIn(path);
    console.log(`${path}: ${found.length}`);
    for (const { path: file, line, phrase, instead } of found)
      console.log(`  ${file}:${line} "${phrase}": ${instead}`);
  }
}
