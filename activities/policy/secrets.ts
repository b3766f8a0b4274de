import type { lintSource } from '@secretlint/core';
import { rememberByContent } from '../content-cache.ts';
import { takingTurns } from './turns.ts';
import { entropyOf, gitleaksRules, type SecretRule } from './secret-rules.ts';

/** A text that looks like a secret. Its value never leaves this module but for comparison. */
export interface Secret {
  /** What it looks like, such as `github token`. */
  kind: string;
  value: string;
  /** 1-based. */
  line: number;
}

/** Our own keys, and what the rule sets leave out or know only beside a vendor's name. */
const OWN_PATTERNS: readonly { kind: string; pattern: RegExp }[] = [
  { kind: 'Docent key', pattern: /\bsvc_(?:dsc_)?[A-Za-z0-9]{24,}/g },
  { kind: 'Anthropic key', pattern: /\bsk-ant-[A-Za-z0-9_-]{20,}/g },
  {
    kind: 'OpenAI key',
    pattern: /\bsk-(?:(?:proj|svcacct|admin)-[A-Za-z0-9_-]{32,}|[A-Za-z0-9]{32,})/g,
  },
  { kind: 'AWS access key', pattern: /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/g },
  { kind: 'Stripe key', pattern: /\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,}/g },
  { kind: 'webhook secret', pattern: /\bwhsec_[A-Za-z0-9+/=_-]{24,}/g },
  { kind: 'Google key', pattern: /\bAIza[A-Za-z0-9_-]{35}/g },
  { kind: 'GitLab token', pattern: /\bglpat-[A-Za-z0-9_-]{20,}/g },
  {
    kind: 'GitHub token',
    pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{50,})/g,
  },
  { kind: 'Azure key', pattern: /\b(?:AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{40,}={0,2}/g },
  { kind: 'xAI key', pattern: /\bxai-[A-Za-z0-9]{40,}/g },
  { kind: 'Replicate token', pattern: /\br8_[A-Za-z0-9]{30,}/g },
  { kind: 'Supabase key', pattern: /\b(?:sbp|sb_secret)_[A-Za-z0-9_-]{20,}/g },
  { kind: 'Notion token', pattern: /\b(?:ntn_|secret_)[A-Za-z0-9]{40,}/g },
  {
    kind: 'Mailgun key',
    pattern: /\b(?:key-[0-9a-f]{32}|[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8})\b/g,
  },
  { kind: 'Telegram token', pattern: /\b\d{8,10}:AA[A-Za-z0-9_-]{33}\b/g },
  {
    kind: 'Discord token',
    pattern: /\b[MNO][A-Za-z\d_-]{23,27}\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{27,}/g,
  },
  { kind: 'Twilio key', pattern: /\b(?:SK|AC)[0-9a-f]{32}\b/g },
  {
    kind: 'Datadog key',
    pattern: /\bDD_(?:API|APP|APPLICATION)_KEY["']?\s*[=:]\s*["']?[0-9a-f]{32,40}\b/g,
  },
  { kind: 'Fly token', pattern: /\b(?:fo1_[\w-]{40,}|fm[12][ar]?_[A-Za-z0-9+/=_-]{60,})/g },
  { kind: 'Hugging Face token', pattern: /\b(?:hf|api_org)_[A-Za-z]{30,}/g },
  { kind: 'DigitalOcean token', pattern: /\bdo[opr]_v1_[0-9a-f]{60,}/g },
  { kind: 'Atlassian token', pattern: /\bATATT3[A-Za-z0-9_=-]{60,}/g },
  { kind: 'Doppler token', pattern: /\bdp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9.]{30,}/g },
  { kind: 'PlanetScale token', pattern: /\bpscale_(?:tkn|oauth|pw)_[A-Za-z0-9_.=-]{30,}/g },
  { kind: 'PyPI token', pattern: /\bpypi-[A-Za-z0-9_-]{50,}/g },
  { kind: '1Password token', pattern: /\bops_eyJ[A-Za-z0-9+/=_-]{60,}/g },
  { kind: 'age key', pattern: /\bAGE-SECRET-KEY-1[0-9A-Z]{40,}/g },
  {
    kind: 'web token',
    pattern: /\beyJ[A-Za-z0-9_-]{12,}\.eyJ[A-Za-z0-9_-]{12,}\.[A-Za-z0-9_-]{16,}/g,
  },
  {
    kind: 'private key',
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\\rn"'>|-]{0,20}[A-Za-z0-9+/=:.,\s\\()-]{60,}/g,
  },
];

/** A value that no rule knows: long, without a pattern, and beside a word that says what it is. */
const IN_CONTEXT =
  /(?:key|token|secret|passw(?:or)?d|credential|bearer|authorization|api)[\w.-]{0,20}["'`]?\s*(?:[:=]|=>|\bis\b)?\s*["'`]?(?:Bearer\s+|Basic\s+|Token\s+)?([A-Za-z0-9+/_=.-]{24,200})/gi;

/** Characters that a rule's pattern looks at in one go: some milliseconds. */
const WINDOW = 8_000;
/** A value begins near its keyword, and ends before so many characters. */
const AROUND = { before: 200, after: 3_000 };
/**
 * Every text in a file's content that looks like a secret and not like a documentation's stand-in
 * for one.
 */
export const findSecrets = rememberByContent((_path, content) => scan(content), 2_000);

type Add = (kind: string, start: number, end: number) => void;

async function scan(content: string): Promise<Secret[]> {
  const found: { kind: string; start: number; end: number }[] = [];
  const add: Add = (kind, start, end) => {
    if (!isPlaceholder(content.slice(start, end))) found.push({ kind, start, end });
  };
  const turn = takingTurns();
  for (const { kind, pattern } of OWN_PATTERNS) {
    await turn();
    for (const match of content.matchAll(pattern))
      add(kind, match.index, match.index + match[0].length);
  }
  for (const match of content.matchAll(IN_CONTEXT)) {
    await turn();
    const value = match[1] ?? '';
    if (!isRandom(value)) continue;
    const start = match.index + match[0].length - value.length;
    add('value of high entropy', start, start + value.length);
  }
  await byGitleaks(content, add);
  await bySecretlint(content, add);
  // What lies within another is the same secret.
  const longestFirst = found.toSorted((a, b) => b.end - b.start - (a.end - a.start));
  const secrets = new Map<string, Secret>();
  for (const [index, { kind, start, end }] of longestFirst.entries()) {
    const isPart = longestFirst
      .slice(0, index)
      .some(other => other.start <= start && end <= other.end);
    const value = content.slice(start, end);
    if (!isPart && !secrets.has(value))
      secrets.set(value, { kind, value, line: content.slice(0, start).split('\n').length });
  }
  return [...secrets.values()].toSorted((a, b) => a.line - b.line);
}

/** Digits and letters of both cases, as a generator of keys writes them. */
function isRandom(value: string): boolean {
  const plain = value.replace(/[=.]+$/, '');
  if (!/\d/.test(plain) || !/[a-z]/.test(plain) || !/[A-Z]/.test(plain)) return false;
  // Paths, names in several words and addresses have short parts.
  const longest = Math.max(...plain.split(/[^A-Za-z0-9]/).map(part => part.length));
  return longest >= 20 && entropyOf(plain) >= 4 && !/[a-z]{7,}|[A-Z]{7,}/.test(plain);
}

async function byGitleaks(content: string, add: Add): Promise<void> {
  const lower = content.toLowerCase();
  const turn = takingTurns();
  for (const rule of await gitleaksRules()) {
    await turn();
    for (const [start, end] of windows(lower, rule.keywords)) {
      matchRule(rule, content, start, end, add);
      await turn();
    }
  }
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

function matchRule(rule: SecretRule, content: string, from: number, to: number, add: Add): void {
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

async function bySecretlint(content: string, add: Add): Promise<void> {
  const { lint, config } = await scanner();
  // The scanner knows files by absolute paths only.
  const result = await lint({
    source: { content, filePath: '/page', contentType: 'text', ext: '' },
    options: { config, noPhysicFilePath: true },
  });
  for (const {
    ruleId,
    range: [start, end],
  } of result.messages)
    add(ruleId.replace(/^@secretlint\/secretlint-rule-/, '').replaceAll('-', ' '), start, end);
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
  const credentials = /^[a-z][a-z\d+.-]*:\/\/[^:@/\s]*:([^@\s]*)@([^/:?\s]*)/i.exec(value);
  if (credentials) {
    const [, password = '', host = ''] = credentials;
    return MADE_UP_HOST.test(host) || MADE_UP_PASSWORD.test(password);
  }
  return new Set(value.replace(/^[a-z]+[-_]/i, '')).size < 8;
}

type LintSource = typeof lintSource;
type ScannerConfig = Parameters<LintSource>[0]['options']['config'];

/** Loaded on the first use: 150 ms that a job without changes does not pay. */
let loading: Promise<{ lint: LintSource; config: ScannerConfig }> | undefined;

function scanner(): Promise<{ lint: LintSource; config: ScannerConfig }> {
  loading ??= (async () => {
    const [core, { creator }] = await Promise.all([
      import('@secretlint/core'),
      import('@secretlint/secretlint-rule-preset-recommend'),
    ]);
    return {
      lint: core.lintSource,
      config: { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator }] },
    };
  })();
  return loading;
}
