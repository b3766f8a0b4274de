import { entropyOf } from './secret-rules.ts';

/** Our own keys, and what the two scanners leave out, or miss before a bracket or a comma. */
const OWN: Record<string, string> = {
  'Docent key': 'svc_(?:dsc_)?[A-Za-z0-9]{24,}',
  'Anthropic key': String.raw`sk-ant-[\w-]{20,}`,
  'OpenAI key': String.raw`sk-(?:(?:proj|svcacct|admin)-[\w-]{32,}|[A-Za-z0-9]{32,})`,
  'Stripe key': '[sr]k_(?:live|test)_[A-Za-z0-9]{16,}',
  'Google key': String.raw`AIza[\w-]{35}`,
  'Hugging Face token': '(?:hf|api_org)_[A-Za-z]{30,}',
  'DigitalOcean token': 'do[opr]_v1_[0-9a-f]{60,}',
  'Doppler token': String.raw`dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9.]{30,}`,
  'PlanetScale token': String.raw`pscale_(?:tkn|oauth|pw)_[\w.=-]{30,}`,
  'PyPI token': String.raw`pypi-[\w-]{50,}`,
  'webhook secret': String.raw`whsec_[\w+/=-]{24,}`,
  'Azure key': '(?:AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{40,}={0,2}',
  'xAI key': 'xai-[A-Za-z0-9]{40,}',
  'Replicate token': 'r8_[A-Za-z0-9]{30,}',
  'Supabase key': String.raw`(?:sbp|sb_secret)_[\w-]{20,}`,
  'Notion token': '(?:ntn_|secret_)[A-Za-z0-9]{40,}',
  'Mailgun key': String.raw`(?:key-[0-9a-f]{32}|[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8})\b`,
  'Telegram token': String.raw`\d{8,10}:AA[\w-]{33}\b`,
  'Discord token': String.raw`[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}`,
  'Twilio key': String.raw`(?:SK|AC)[0-9a-f]{32}\b`,
  'Datadog key': String.raw`DD_(?:API|APP|APPLICATION)_KEY["']?\s*[=:]\s*["']?[0-9a-f]{32,40}\b`,
  'Fly token': String.raw`(?:fo1_[\w-]{40,}|fm[12][ar]?_[\w+/=-]{60,})`,
  'Atlassian token': String.raw`ATATT3[\w=-]{60,}`,
  'web token': String.raw`eyJ[\w-]{12,2000}\.eyJ[\w-]{12,2000}\.[\w-]{16,2000}`,
};

export const OWN_PATTERNS: readonly { kind: string; pattern: RegExp }[] = [
  ...Object.entries(OWN).map(([kind, form]) => ({
    kind,
    pattern: new RegExp(String.raw`\b${form}`, 'g'),
  })),
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
