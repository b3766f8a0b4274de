import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RE2JS } from 're2js';
import { parse } from 'smol-toml';

/** Takes what looks like a secret as it is found, by its place. */
export type AddSecret = (kind: string, start: number, end: number) => void;

export interface SecretRule {
  kind: string;
  /** In lower case; a text without any of them needs no look. */
  keywords: readonly string[];
  /** Bits for each character that a value has at least. */
  entropy: number;
  pattern: RE2JS;
  group: number | undefined;
  /** Whether a value is on the rule's own list of what is none. */
  isAllowed(value: string, match: string, line: string): boolean;
}

interface GitleaksAllowlist {
  regexes?: string[];
  regexTarget?: 'match' | 'line';
  stopwords?: string[];
  paths?: string[];
}

interface GitleaksRule {
  id: string;
  regex?: string;
  keywords?: string[];
  entropy?: number;
  secretGroup?: number;
  path?: string;
  allowlists?: GitleaksAllowlist[];
}

const FILE = join(import.meta.dirname, 'gitleaks', 'gitleaks.toml');

let loading: Promise<SecretRule[]> | undefined;

/** The rules of gitleaks, read on the first use: 50 ms that a job without changes does not pay. */
export function gitleaksRules(): Promise<SecretRule[]> {
  loading ??= readRules();
  return loading;
}

async function readRules(): Promise<SecretRule[]> {
  const { rules, allowlist } = parse(await readFile(FILE, 'utf8')) as unknown as {
    rules: GitleaksRule[];
    allowlist: GitleaksAllowlist;
  };
  // Rules of a path are for files of code.
  return rules.flatMap(rule =>
    rule.regex === undefined || rule.path !== undefined
      ? []
      : [secretRule(rule, rule.regex, allowlist)],
  );
}

function secretRule(rule: GitleaksRule, regex: string, common: GitleaksAllowlist): SecretRule {
  let pattern: RE2JS | undefined;
  const lists = [common, ...(rule.allowlists ?? []).filter(({ paths }) => paths === undefined)];
  let allowed: ((value: string, match: string, line: string) => boolean)[] | undefined;
  return {
    kind: rule.id.replaceAll('-', ' '),
    keywords: (rule.keywords ?? []).map(word => word.toLowerCase()),
    entropy: rule.entropy ?? 0,
    group: rule.secretGroup,
    // Compiled on the first use: most are never needed.
    get pattern() {
      pattern ??= RE2JS.compile(regex);
      return pattern;
    },
    isAllowed(...texts) {
      allowed ??= lists.map(allows);
      return allowed.some(isAllowed => isAllowed(...texts));
    },
  };
}

function allows({ regexes = [], regexTarget, stopwords = [] }: GitleaksAllowlist) {
  const patterns = regexes.map(regex => RE2JS.compile(regex));
  return (value: string, match: string, line: string): boolean => {
    const target = regexTarget === 'match' ? match : regexTarget === 'line' ? line : value;
    const lower = value.toLowerCase();
    return (
      patterns.some(pattern => pattern.matcher(target).find()) ||
      stopwords.some(word => lower.includes(word))
    );
  };
}

/** Shannon's measure, in bits for each character. */
export function entropyOf(value: string): number {
  const counts = new Map<string, number>();
  for (const char of value) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values())
    bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
