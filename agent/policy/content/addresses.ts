import type { Report } from './item.ts';
import { squeeze } from './item.ts';

/** Schemes of links that open nothing but a page, a mail or a call. */
const LINK_SCHEMES = /^(?:https?:\/\/|ftps?:\/\/|mailto:|tel:|sms:)/i;
const IMAGE_DATA = /^data:image\/(?:png|jpe?g|gif|webp|avif);base64,[a-z\d+/=\s]*$/i;
const SCRIPT_SCHEMES =
  /^(?:javascript|vbscript|livescript|mocha|data|blob|filesystem|view-source)$/i;

/**
 * Judges where a link leads. Only what cannot be read in two ways is an address: a scheme of the
 * list, or a path whose first part has nothing that a browser or a renderer could decode.
 */
export function judgeAddress(raw: string, at: number, what: string, report: Report): void {
  const address = raw.trim();
  if (leadsToHidden(address)) {
    report(at, {
      rule: 'embed',
      key: `hidden ${squeeze(address)}`,
      what: `${what} to a hidden file, which a build may publish`,
      instead: 'Link to a page or an image.',
      hint: address.slice(0, 40),
    });
    return;
  }
  if (isPlainAddress(address)) return;
  const scheme = schemeOf(address);
  if (scheme !== undefined && !SCRIPT_SCHEMES.test(scheme) && address.startsWith(`${scheme}:`)) {
    report(at, {
      rule: 'script',
      key: `scheme ${scheme.toLowerCase()}`,
      what: `${what} with the scheme ${scheme}:, which no page of the site uses`,
      instead: 'Use an https:// address or a path of the site.',
      hint: `${scheme}:`,
    });
    return;
  }
  report(at, {
    rule: 'script',
    key: `address ${squeeze(address)}`,
    what: `${what} that a browser could run or that can be read in two ways`,
    instead: 'Use an https:// address, a path of the site or #anchor, in plain characters.',
    hint: address.slice(0, 40),
  });
}

/** Whether the address leads to another host, as browsers read it. */
export function isRemote(address: string): boolean {
  const plain = decode(address)
    .trim()
    .replace(/[\p{Cc}\p{Cf}]/gu, '');
  return /^(?:[a-z][a-z\d+.-]*:(?!\s)|(?:https?|data|blob):|[\\/]{2})/i.test(plain);
}

/** Whether a part of a path within the repository begins with a dot. */
function leadsToHidden(address: string): boolean {
  if (isRemote(address) || !/[.%&]/.test(address)) return false;
  const [path = ''] =
    /^[^?#]*/.exec(decode(address).replace(/%2e/gi, '.').replace(/%2f/gi, '/')) ?? [];
  return /(?:^|[\\/])\.(?!well-known\b)[a-z_]/i.test(path);
}

function isPlainAddress(address: string): boolean {
  if (address === '' || LINK_SCHEMES.test(address) || IMAGE_DATA.test(address)) return true;
  // Templates and placeholders are judged by themselves.
  if (/^(?:\{[{%<]|[#?]|\.{0,2}\/)/.test(address)) return !/^[#?]?[\u0000-\u001f]/.test(address);
  const [first = ''] = /^[^/?#]*/.exec(address) ?? [];
  return !/[:\\]|&#?\w|[\p{Cc}\p{Cf}]/u.test(first);
}

function schemeOf(address: string): string | undefined {
  const plain = decode(address).replace(/[\p{Cc}\p{Cf}\p{Z}\\]/gu, '');
  return /^([a-z][a-z\d+.-]*):/i.exec(plain)?.[1];
}

const NAMED: Record<string, string> = {
  colon: ':',
  tab: '\t',
  newline: '\n',
  lpar: '(',
  rpar: ')',
  sol: '/',
  bsol: '\\',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  amp: '&',
  lcub: '{',
  lbrace: '{',
  rcub: '}',
  rbrace: '}',
  lsqb: '[',
  rsqb: ']',
  period: '.',
  equals: '=',
  nbsp: ' ',
  percnt: '%',
  lowbar: '_',
  grave: '`',
};

/** Every reference decoded, with and without its semicolon, as far as any decoder goes. */
export function decode(text: string): string {
  if (!text.includes('&')) return text;
  return text
    .replace(/&#x([\da-f]{1,6});?|&#(\d{1,7});?/gi, (_, hex?: string, decimal?: string) =>
      character(hex === undefined ? Number(decimal) : parseInt(hex, 16)),
    )
    .replace(/&([a-z]{2,8});?/gi, (whole, name: string) => NAMED[name.toLowerCase()] ?? whole);
}

function character(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}

/**
 * Destinations of links, images and definitions in a text: behind every `](` and `]:`, whatever is
 * before it.
 */
export function judgeLinks(text: string, offset: number, report: Report): void {
  for (const match of text.matchAll(/\](?:\(|:)\s*(<[^>\n]*>?|[^\s)]*)/g)) {
    const raw = (match[1] ?? '').replace(/^<|>$/g, '');
    judgeAddress(raw, offset + match.index, 'a link', report);
  }
  // Whatever else could become a link: the scheme by itself is enough.
  const plain = decode(text).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\p{Cf}\\]/gu, '');
  const [found] = /\b(?:javascript|vbscript|livescript):(?=[^\s*_`"'”)])\S*/i.exec(plain) ?? [];
  if (found === undefined) return;
  report(offset, {
    rule: 'script',
    key: `address ${squeeze(found)}`,
    what: 'an address that runs a script',
    instead: 'Leave it out, or show it in a code block.',
    hint: found.slice(0, 11),
  });
}
