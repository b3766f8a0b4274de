import type { lintSource } from '@secretlint/core';
import { rememberByContent } from '../content-cache.ts';

/** A text that looks like a secret. Its value never leaves this module but for comparison. */
export interface Secret {
  /** What it looks like, such as `github token`. */
  kind: string;
  value: string;
  /** 1-based. */
  line: number;
}

/** Our own keys, and what secretlint's preset leaves out by default or knows in narrower forms. */
const OWN_PATTERNS: readonly { kind: string; pattern: RegExp }[] = [
  { kind: 'Docent key', pattern: /\bsvc_(?:dsc_)?[A-Za-z0-9]{24,}/g },
  { kind: 'Anthropic key', pattern: /\bsk-ant-[A-Za-z0-9_-]{20,}/g },
  { kind: 'OpenAI key', pattern: /\bsk-(?:proj-)?[A-Za-z0-9]{32,}/g },
  { kind: 'AWS access key', pattern: /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/g },
  { kind: 'Stripe key', pattern: /\b[sr]k_live_[A-Za-z0-9]{16,}/g },
  { kind: 'Google key', pattern: /\bAIza[A-Za-z0-9_-]{35}/g },
  { kind: 'GitLab token', pattern: /\bglpat-[A-Za-z0-9_-]{20,}/g },
  {
    kind: 'GitHub token',
    pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{50,})/g,
  },
  {
    kind: 'private key',
    pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\\rn"'>|-]{0,20}[A-Za-z0-9+/=\s\\]{60,}/g,
  },
];

/**
 * Every text in a file's content that looks like a secret and not like a documentation's stand-in
 * for one.
 */
export const findSecrets = rememberByContent(scan, 2_000);

async function scan(path: string, content: string): Promise<Secret[]> {
  const found = new Map<string, Secret>();
  const add = (kind: string, start: number, end: number): void => {
    const value = content.slice(start, end);
    if (!isPlaceholder(value))
      found.set(value, { kind, value, line: content.slice(0, start).split('\n').length });
  };
  for (const { kind, pattern } of OWN_PATTERNS) {
    for (const match of content.matchAll(pattern))
      add(kind, match.index, match.index + match[0].length);
  }
  const { lint, config } = await scanner();
  // The scanner knows files by absolute paths only.
  const result = await lint({
    source: { content, filePath: `/${path}`, contentType: 'text', ext: '' },
    options: { config, noPhysicFilePath: true },
  });
  for (const {
    ruleId,
    range: [start, end],
  } of result.messages) {
    add(ruleId.replace(/^@secretlint\/secretlint-rule-/, '').replaceAll('-', ' '), start, end);
  }
  return [...found.values()];
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
    /example|placeholder|your[-_]|<[^>]*>|\.\.\.|\$\{|%[A-Z_]+%|redacted/i.test(value) &&
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
