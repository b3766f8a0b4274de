import { joinedReading } from './joined-reading.ts';
import { OWN_PATTERNS, randomValues } from './secret-patterns.ts';
import { VENDOR_FORMATS } from './vendor-formats.ts';
import { type AddSecret, entropyOf, gitleaksRules, type SecretRule } from './secret-rules.ts';
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
      found.push({ kind, start: joined.begins[start] ?? 0, end: joined.ends[end - 1] ?? 0 });
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

const MADE_UP_HOST = new RegExp(
  String.raw`^(?:localhost|127\.0\.0\.1|\[?::1\]?|host(?:name)?|db|database|` +
    'postgres|mysql|mongo|redis|server)$',
  'i',
);
const MADE_UP_PASSWORD = new RegExp(
  String.raw`^(?:password|pass|passwd|pwd|secret|postgres|mysql|root|admin|user|test|token|` +
    String.raw`x+|\*+|\[.*\]|\{.*\})$`,
  'i',
);

/** `my-super-secret-key` */
const WORDS =
  /^(?=.*\b(?:secret|key|token|password|my|your|test|sample|dummy|fake)\b)[a-z]+(?:[-_ ][a-z]+)+$/;

/**
 * Documentation shows what keys look like: few different characters (`svc_xxxxxxxx`), words that
 * say so, and connection strings to a made-up host or with a made-up password.
 */
function isPlaceholder(value: string): boolean {
  if (
    /example|placeholder|your[-_]|<[^>]*>|\.\.\.|…|\$\{|%[A-Z_]+%|redacted|x{4}|\*{3}/i.test(
      value,
    ) &&
    !/PRIVATE KEY/.test(value)
  )
    return true;
  if (WORDS.test(value)) return true;
  const credentials = /^[a-z][a-z\d+.-]*:\/\/[^:@/\s]*:([^@\s]*)@([^/:?\s]*)/i.exec(value);
  if (credentials) {
    const [, password = '', host = ''] = credentials;
    return MADE_UP_HOST.test(host) || MADE_UP_PASSWORD.test(password);
  }
  return new Set(value.replace(/^[a-z]+[-_]/i, '')).size < 8;
}

/** Characters that a rule's pattern looks at in one go: some milliseconds. */
const WINDOW = 8_000;
/** A value begins near its keyword, and ends before so many characters. */
const AROUND = { before: 200, after: 3_000 };

/** What the rules of gitleaks find. */
async function byGitleaks(content: string, add: AddSecret): Promise<void> {
  const lower = content.toLowerCase();
  for (const rule of await gitleaksRules())
    for (const [start, end] of windows(lower, rule.keywords))
      matchRule(rule, content, start, end, add);
}

/** The parts of a text in which a rule can match. */
function* windows(lower: string, keywords: readonly string[]): Generator<[number, number]> {
  const ranges = keywords
    .flatMap(keyword => [...occurrences(lower, keyword)])
    .toSorted((a, b) => a - b);
  let start = -1;
  let end = -1;
  for (const at of ranges) {
    if (start >= 0 && at - AROUND.before <= end && at + AROUND.after - start <= WINDOW)
      end = at + AROUND.after;
    else {
      if (start >= 0) yield [start, end];
      start = Math.max(0, at - AROUND.before);
      end = at + AROUND.after;
    }
  }
  if (start >= 0) yield [start, end];
}

function* occurrences(lower: string, keyword: string): Generator<number> {
  for (let at = lower.indexOf(keyword); at >= 0; at = lower.indexOf(keyword, at + keyword.length))
    yield at;
}

function matchRule(
  rule: SecretRule,
  content: string,
  from: number,
  to: number,
  add: AddSecret,
): void {
  const part = content.slice(from, to);
  const matcher = rule.pattern.matcher(part);
  while (matcher.find()) {
    const group = rule.group ?? firstGroup(matcher);
    const [start, end] = [matcher.start(group), matcher.end(group)];
    const value = part.slice(start, end);
    const lineStart = part.lastIndexOf('\n', start) + 1;
    const lineEnd = part.indexOf('\n', end);
    const line = part.slice(lineStart, lineEnd < 0 ? undefined : lineEnd);
    if (entropyOf(value) < rule.entropy || rule.isAllowed(value, matcher.group() ?? '', line))
      continue;
    add(rule.kind, from + start, from + end);
  }
}

/** As gitleaks takes it: the first group with something in it is the secret. */
function firstGroup(matcher: ReturnType<SecretRule['pattern']['matcher']>): number {
  for (let group = 1; group <= matcher.groupCount(); group++)
    if (matcher.group(group)) return group;
  return 0;
}
