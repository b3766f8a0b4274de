import GithubSlugger from 'github-slugger';
import { readInstruction, type Request } from '../offline-model/forms.ts';

/** Path to text; null where a file was deleted. */
export type Files = Record<string, string | null>;

export interface Carried {
  instruction: string;
  before: Record<string, string>;
  /** What was changed. */
  changes: Files;
  /** What the model says of it. */
  message: string;
}

const TEXT = '("[^"]+"|[^\\s"]+)';
const TWO_TEXTS = new RegExp(
  `^(?:rename|replace|update instances of)\\s+${TEXT}\\s+(?:to|with|->)\\s+${TEXT}$`,
  'i',
);

/**
 * The instruction as a person writes it who knows the offline model's forms: a prompt that names
 * two texts and nothing else gets quotes. Every other prompt stays as it is.
 */
export function asForm(prompt: string): string {
  const [, from, to] = TWO_TEXTS.exec(prompt.trim()) ?? [];
  const quoted = (text: string) => (text.startsWith('"') ? text : `"${text}"`);
  return from && to ? `Replace ${quoted(from)} with ${quoted(to)}` : prompt;
}

/** Files with a change that nobody asked for. */
export function changesOutside({ instruction, before, changes }: Carried): string[] {
  const requests = readInstruction(instruction) ?? [];
  return Object.entries(changes).flatMap(([path, after]) => {
    if (requests.some(({ kind }) => kind !== 'replace' && kind !== 'rename')) return []; // judged by the tests alone
    const was = withReplacements(before[path] ?? '', requests);
    return was === withReplacements(after ?? '', requests) ? [] : [path];
  });
}

/** Both sides of a change are the same once every old text is the new one, in anchors too. */
function withReplacements(text: string, requests: Request[]): string {
  const slug = (heading = '') => new GithubSlugger().slug(heading);
  return requests.reduce(
    (rest, { values: [from = '', to = ''] }) =>
      rest.replaceAll(`#${slug(from)}`, `#${slug(to)}`).replaceAll(flat(from), flat(to)),
    flat(text),
  );
}

/** Without the difference that the end of a line makes. */
function flat(text: string): string {
  return text.replace(/\s+(?:>\s*)*/g, ' ');
}

/** Sentences of the message that are not so. */
export function falseClaims({ instruction, before, changes, message }: Carried): string[] {
  const claims: string[] = [];
  const isChanged = Object.keys(changes).length > 0;
  if (isChanged === message.startsWith('I changed nothing'))
    claims.push(isChanged ? 'changed nothing' : 'changed something');
  for (const { values } of readInstruction(instruction) ?? []) {
    const [from = ''] = values;
    const [, places, pages] = /in (\d+) places? on (\d+) pages?/.exec(message) ?? [];
    const gone = Object.entries(changes)
      .map(([path, after]) => count(before[path] ?? '', from) - count(after ?? '', from))
      .filter(number => number > 0);
    const total = gone.reduce((sum, number) => sum + number, 0);
    if (places !== undefined && !values[1]?.includes(from) && Number(places) !== total)
      claims.push(`${places} places, and it is ${total}`);
    if (pages !== undefined && !values[1]?.includes(from) && Number(pages) !== gone.length)
      claims.push(`${pages} pages, and it is ${gone.length}`);
    const inPages = Object.entries(before).filter(([path]) => /\.mdx?$/.test(path));
    if (/I found no “/.test(message) && inPages.some(([, text]) => count(text, from) > 0))
      claims.push(`no “${from}”, and it is there`);
  }
  return claims;
}

/** How often a text stands there as words of its own. */
function count(text: string, phrase: string): number {
  const words = flat(phrase).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return (
    flat(text).match(new RegExp(`(?<![\\p{L}\\p{N}_])${words}(?![\\p{L}\\p{N}_])`, 'gu'))?.length ??
    0
  );
}
