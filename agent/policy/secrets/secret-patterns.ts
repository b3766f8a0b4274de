import { entropyOf } from './secret-rules.ts';

/** Our own keys, and what the rule sets leave out or know only beside a vendor's name. */
export const OWN_PATTERNS: readonly { kind: string; pattern: RegExp }[] = [
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
    pattern: /\beyJ[A-Za-z0-9_-]{12,2000}\.eyJ[A-Za-z0-9_-]{12,2000}\.[A-Za-z0-9_-]{16,2000}/g,
  },
  {
    kind: 'private key',
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\\rn"'>|-]{0,20}[A-Za-z0-9+/=:.,\s\\()-]{60,}/g,
  },
];

/** A value that no rule knows: long, without a pattern, and beside a word that says what it is. */
const IN_CONTEXT =
  /(?:key|token|secret|passw(?:or)?d|credential|bearer|authorization|api)[\w.-]{0,20}["'`]?\s{0,20}(?:[:=]|=>|\bis\b)?\s{0,20}["'`]?(?:(?:Bearer|Basic|Token)\s{1,20})?([A-Za-z0-9+/_=.-]{24,200})/gi;

/** Where a text has a value that looks random, beside a word that says what it is. */
export function* randomValues(content: string): Generator<{ start: number; end: number }> {
  for (const match of content.matchAll(IN_CONTEXT)) {
    const value = match[1] ?? '';
    const end = match.index + match[0].length;
    if (isRandom(value)) yield { start: end - value.length, end };
  }
}

/** Digits and letters of both cases, as a generator of keys writes them. */
function isRandom(value: string): boolean {
  const plain = value.replace(/[=.]+$/, '');
  if (!/\d/.test(plain) || !/[a-z]/.test(plain) || !/[A-Z]/.test(plain)) return false;
  // Paths, names in several words and addresses have short parts.
  const longest = Math.max(...plain.split(/[^A-Za-z0-9]/).map(part => part.length));
  return longest >= 20 && entropyOf(plain) >= 4 && !/[a-z]{7,}|[A-Z]{7,}/.test(plain);
}
