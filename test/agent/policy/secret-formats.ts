import { createHash } from 'node:crypto';

/** Random characters that are the same in each run, so that no secret stands in this file. */
function random(seed: string, length: number, alphabet: string): string {
  let text = '';
  for (let block = 0; text.length < length; block++)
    for (const byte of createHash('sha512').update(`${seed} ${block}`).digest())
      text += alphabet.charAt(byte % alphabet.length);
  return text.slice(0, length);
}

const DIGITS = '0123456789';
const HEX = `${DIGITS}abcdef`;
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const LETTERS = LOWER + LOWER.toUpperCase();
const WORD = LETTERS + DIGITS;
const UPPER = LOWER.toUpperCase() + DIGITS;

const word = (length: number) => random('word', length, WORD);
const hex = (length: number) => random('hex', length, HEX);
const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Formats of vendors, with random values in their shapes: name, text. */
export const SECRET_FORMATS: [string, string][] = [
  [
    'a PGP private key',
    `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${word(64)}\n${word(64)}\n=${word(4)}\n-----END PGP PRIVATE KEY BLOCK-----`,
  ],
  ['PyPI', `pypi-AgEIcHlwaS5vcmc${word(90)}`],
  ['Hugging Face', `hf_${random('hf', 34, LETTERS)}`],
  ['DigitalOcean', `dop_v1_${hex(64)}`],
  ['Twilio', `SK${hex(32)}`],
  ['Telegram', `${random('t', 10, '123456789')}:AA${word(33)}`],
  ['Discord', `M${word(23)}.${word(6)}.${word(38)}`],
  [
    'a web token',
    `${json({ alg: 'HS256', typ: 'JWT' })}.${json({ sub: word(12), iat: 1700000000 })}.${word(43)}`,
  ],
  ['Azure', `AccountKey=${word(86)}==`],
  ['a webhook of Stripe', `whsec_${word(32)}`],
  ['a test key of Stripe', `sk_test_${word(24)}`],
  ['Atlassian', `ATATT3xFfGF0${word(174)}=${random('a', 8, UPPER)}`],
  ['Doppler', `dp.pt.${word(43)}`],
  ['age', `AGE-SECRET-KEY-1${random('age', 58, 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L')}`],
  ['1Password', `ops_eyJ${word(260)}`],
  ['PlanetScale', `pscale_tkn_${word(43)}`],
  ['Fly', `fm2_${word(120)}`],
  ['Supabase', `sbp_${hex(40)}`],
  ['xAI', `xai-${word(80)}`],
  ['Replicate', `r8_${word(37)}`],
  ['Notion', `ntn_${random('n', 11, DIGITS)}${word(35)}`],
  ['Notion, the older form', `secret_${word(43)}`],
  ['Mailgun', `key-${hex(32)}`],
  ['Datadog', `DD_API_KEY=${hex(32)}`],
  ['OpenAI without infix', `sk-proj-${word(20)}_${word(24)}-${word(40)}`],
  ['GitLab', `glpat-${word(20)}`],
  ['npm', `npm_${word(36)}`],
  ['SendGrid', `SG.${word(22)}.${word(43)}`],
  ['Shopify', `shpat_${hex(32)}`],
  ['Linear', `lin_api_${word(40)}`],
  ['Vault', `hvs.CAESI${word(90)}`],
  ['Grafana', `glsa_${word(32)}_${hex(8)}`],
  ['Google', `AIza${word(35)}`],
  ['Databricks', `dapi${hex(32)}`],
  ['Pulumi', `pul-${hex(40)}`],
  ['no known format', `api_key = "${word(48)}"`],
  ['no known format, in a header', `Authorization: Bearer ${word(48)}`],
  ['Airtable', `pat${word(14)}.${hex(64)}`],
  ['Azure DevOps', `${word(76)}AZDO${word(4)}`],
  ['Azure SAS', `https://a.blob.core.windows.net/c?sv=2022-11-02&sr=c&sig=${word(43)}%3D`],
  ['Bitbucket', `ATBB${word(32)}`],
  ['Buildkite', `bkua_${hex(40)}`],
  ['CircleCI', `CCIPAT_${word(22)}_${hex(40)}`],
  ['Cloudflare', `cfut_${word(48)}`],
  ['Docker', `dckr_oat_${word(32)}`],
  ['ElevenLabs', `sk_${hex(48)}`],
  ['Google OAuth', `GOCSPX-${word(28)}`],
  ['Google, a refresh token', `1//0${word(60)}`],
  ['HubSpot', `pat-na1-${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`],
  ['Langfuse', `sk-lf-${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`],
  ['Mailchimp', `${hex(32)}-us12`],
  ['Netlify', `nfp_${word(36)}`],
  ['New Relic', `NRAK-${random('nr', 27, UPPER)}`],
  ['NuGet', `oy2${random('nu', 43, LOWER + DIGITS)}`],
  ['OpenRouter', `sk-or-v1-${hex(64)}`],
  ['Pinecone', `pcsk_${word(6)}_${word(60)}`],
  ['PostHog', `phx_${word(43)}`],
  ['Resend', `re_${word(8)}_${word(24)}`],
  ['Sentry', `sntryu_${hex(64)}`],
  ['SonarQube', `squ_${hex(40)}`],
  [
    'a webhook of Discord',
    `https://discord.com/api/webhooks/${random('d', 18, '123456789')}/${word(68)}`,
  ],
];
