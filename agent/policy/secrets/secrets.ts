import { byGitleaks } from './gitleaks-scan.ts';
import { joinedReading } from '../joined-reading.ts';
import { OWN_PATTERNS, randomValues } from './secret-patterns.ts';
import { VENDOR_FORMATS } from './vendor-formats.ts';
import { isPlaceholder } from './secret-placeholder.ts';
import type { AddSecret } from './secret-rules.ts';
import { TooComplex } from '../content/item.ts';
import { bySecretlint } from './secretlint-scan.ts';

/** A text that looks like a secret. Its value is for comparison, and goes nowhere else. */
export interface Secret {
  /** What it looks like, such as `github token`. */
  kind: string;
  value: string;
  /** 1-based. */
  line: number;
}

/** A file with more is a list of keys. */
const MOST_FOUND = 2_000;

interface Found {
  kind: string;
  start: number;
  end: number;
}

/**
 * Every text in a file's content that looks like a secret and not like a documentation's stand-in
 * for one; also one that only shows once the page is rendered or its code has run.
 */
export async function scanForSecrets(content: string): Promise<Secret[]> {
  const found = await scan(content);
  const joined = joinedReading(content);
  if (joined)
    for (const { kind, start, end } of await scan(joined.text))
      found.push({ kind, start: joined.before(start), end: joined.after(end) });
  return outermost(content, found);
}

async function scan(content: string): Promise<Found[]> {
  const found: Found[] = [];
  const add: AddSecret = (kind, start, end) => {
    if (!isPlaceholder(content.slice(start, end))) found.push({ kind, start, end });
    if (found.length > MOST_FOUND) throw new TooComplex('It has more keys than can be judged.');
  };
  for (const { kind, pattern } of [...OWN_PATTERNS, ...VENDOR_FORMATS])
    for (const match of content.matchAll(pattern))
      add(kind, match.index, match.index + match[0].length);
  for (const { start, end } of randomValues(content)) add('value of high entropy', start, end);
  await byGitleaks(content, add);
  await bySecretlint(content, add);
  return found;
}

/** What lies within another is the same secret. */
function outermost(content: string, found: Found[]): Secret[] {
  const secrets = new Map<string, Secret>();
  let covered = 0;
  let line = 1;
  let counted = 0;
  for (const { kind, start, end } of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (end <= covered) continue;
    covered = end;
    for (; counted < start; counted++) if (content.charCodeAt(counted) === 10) line += 1;
    const value = content.slice(start, end);
    if (!secrets.has(value)) secrets.set(value, { kind, value, line });
  }
  return [...secrets.values()];
}
