import { createHash, randomBytes, scryptSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGE = join(import.meta.dirname, '../../docs/operate/security.md');
const HEADING = '### Where secrets and texts are';

/** Where secrets and texts may be, by the row's title and the column's, as the docs say. */
export function documentedPlaces(): Map<string, Map<string, string>> {
  const section = readFileSync(PAGE, 'utf8').split(HEADING)[1]?.split('\n#')[0] ?? '';
  const [titles = [], , ...rows] = section
    .split('\n')
    .filter(line => line.startsWith('|'))
    .map(line =>
      line
        .split('|')
        .slice(1, -1)
        .map(cell => cell.trim()),
    );
  return new Map(
    rows.map(([name = '', ...cells]) => [
      name,
      new Map(cells.map((cell, n) => [titles[n + 1] ?? '', cell])),
    ]),
  );
}

/** A random text of no known form: no filter can know that it is a secret. */
export function canary(name: string): string {
  return `${name}.canary.${randomBytes(12).toString('hex')}`;
}

/** How a text contains a value: `yes` as it is, `SHA-256` or `scrypt` as a hash, `no` not at all. */
export function presence(text: string, value: string): string {
  if (formsOf(value).some(form => text.includes(form))) return 'yes';
  const hash = createHash('sha256').update(value).digest('hex');
  if (text.includes(hash)) return 'SHA-256';
  return value.includes('password') && isScryptIn(text, value) ? 'scrypt' : 'no';
}

function isScryptIn(text: string, password: string): boolean {
  return [...text.matchAll(/scrypt\$(\d+)\$(\d+)\$(\d+)\$([\w-]+)\$([\w-]+)/g)].some(
    ([, N, r, p, salt = '', key = '']) => {
      const options = { N: Number(N), r: Number(r), p: Number(p), maxmem: 2 ** 30 };
      const stored = Buffer.from(key, 'base64url');
      const salted = Buffer.from(salt, 'base64url');
      return scryptSync(password, salted, stored.length, options).equals(stored);
    },
  );
}

/**
 * As it is, as Postgres prints bytes, in a URL, and in base64 behind anything: of three alignments,
 * without the characters that its neighbours share.
 */
function formsOf(value: string): string[] {
  const base64 = [0, 1, 2].map(before =>
    Buffer.from('x'.repeat(before) + value)
      .toString('base64')
      .replace(/=+$/, '')
      .slice(before === 0 ? 0 : before + 1, -1),
  );
  return [value, Buffer.from(value).toString('hex'), encodeURIComponent(value), ...base64];
}

/** What a value says, its bytes as the text that they contain. */
export function textOf(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.values(value).map(textOf).join('\n');
}
