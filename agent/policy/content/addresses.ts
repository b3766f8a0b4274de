import { posix } from 'node:path';
import { type ContentItem, squeeze } from './item.ts';

/** A link is followed by a reader; what is loaded, a build or a browser reads by itself. */
export type Use = 'link' | 'load';

const CHARACTERS = "[\\p{L}\\p{N}\\-._~:/?#[\\]@!$&'()*+,;=%|^]";
const WEB = new RegExp(
  `^(?:https?|ftps?)://(?:[\\p{L}\\p{N}_-]+\\.)*[\\p{L}\\p{N}_-]+(?::\\d+)?(?:[/?#]${CHARACTERS}*)?$`,
  'iu',
);
const DIRECT =
  /^(?:mailto:[\w.+-]+@[\w.-]+(?:\?[\w=&%.,+-]*)?|tel:[\d+().-]+|sms:[\d+().-]+|\/\/(?:[\w-]+\.)+\w+\/?)$/i;
const DATA = /^data:image\/(?:png|jpe?g|gif|webp|avif);base64,[a-z\d+/=]*$/i;
const PATH = /^(?<path>[\p{L}\p{N}\p{M}\-._~/()+,@!$=*' %[\]]*)(?<query>\?[^#]*)?(?<anchor>#.*)?$/u;
const QUERY = /^\?[\w=&.,+%/-]*$/;
const ANCHOR = /^#[\p{L}\p{N}\p{M}\p{S}\-._~:/?@!$'()*+,;=%–—’]*$/u;
/** A decoder would read another character: with or without its semicolon. */
const REFERENCE = /&(?:#|\w{2,31};|(?:lt|gt|amp|quot|colon|tab|newline)\b(?!=))/i;
/** Files that every generator publishes as they are, or makes into pages. */
const SHOWN = /\.(?:mdx?|markdown|mdoc|rst|html?|png|jpe?g|gif|webp|avif|ico|svg|mp4|webm|pdf)$/i;
const PAGE = /\.(?:mdx?|markdown|mdoc|rst|html?)$/i;
/** Asked of a bundler, these turn a file into the text of the page. */
const AS_TEXT = /[?&](?:raw|url|inline|worker|source|sharedworker|init|import)\b/i;

/** Whether the address leads to another host, as browsers read it. */
export function isRemote(address: string): boolean {
  const plain = address.trim().replace(/[\p{Cc}\p{Cf}]/gu, '');
  return /^(?:[a-z][a-z\d+.-]*:(?!\s)|[\\/]{2})/i.test(plain);
}

/**
 * What of an address is not plain: undefined for the web, a mail, an anchor, and a path that stays in
 * the repository and names a page or an image. Other files have a `target` that is looked up.
 */
export function addressItem(
  raw: string,
  use: Use,
  from: string,
): Omit<ContentItem, 'line' | 'what'> | undefined {
  // MyST names its pages and files so.
  const address = raw.trim().replace(/^(?:project|path):(?!\/\/)/, '');
  if (address === '' || (ANCHOR.test(address) && !REFERENCE.test(address))) return undefined;
  const isPlain = !REFERENCE.test(address);
  if (isPlain && (WEB.test(address) || DIRECT.test(address) || DATA.test(address)))
    return undefined;
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(address)?.[1]?.toLowerCase();
  if (scheme !== undefined && !/^(?:https?|ftps?|mailto|tel|sms|data)$/.test(scheme))
    return odd(address, RUNS.test(scheme) ? `address ${squeeze(address)}` : `scheme ${scheme}`);
  const groups = isPlain && scheme === undefined ? PATH.exec(address)?.groups : undefined;
  const { path = '', query = '', anchor = '' } = groups ?? {};
  if (!groups || (query && !QUERY.test(query)) || (anchor && !ANCHOR.test(anchor)))
    return odd(address, `address ${squeeze(address)}`);
  return path === '' ? undefined : pathItem(address, path, query, use, from);
}

const RUNS = /^(?:javascript|vbscript|livescript|mocha|data|blob|filesystem|view-source)$/;

const OF_A_MACHINE =
  /^\/(?:bin|boot|dev|etc|home|lib|mnt|media|opt|private|proc|root|run|sbin|srv|sys|tmp|usr|Users|var|vercel|build|builds|workspace|workspaces|github|drone|codebuild|app|src|repo|data)\//i;

function odd(address: string, key: string): Omit<ContentItem, 'line' | 'what'> {
  const instead = 'Use an https:// address, a path of the site or #anchor, in plain characters.';
  return { rule: 'script', key, instead, hint: address.slice(0, 40) };
}

function pathItem(address: string, written: string, query: string, use: Use, from: string) {
  const path = decoded(written);
  const isChapter = /(?:^|\/)SUMMARY\.md$/i.test(from) && written.startsWith('/');
  if (path === undefined || isChapter || /^[~!]|^\/[@/]|[\\\p{Cc}]/u.test(path))
    return odd(address, `address ${squeeze(address)}`);
  const target = repositoryPath(path, from);
  const item = {
    rule: 'embed' as const,
    key: `target ${target ?? squeeze(address)}${AS_TEXT.test(query) ? query : ''}`,
    instead: 'Link to a page or an image of the site.',
    hint: (target ?? address).split('/').at(-1)?.slice(0, 40) ?? '',
  };
  // A link to a page leads to the page, whatever is behind it.
  const isText = AS_TEXT.test(query) && !(use === 'link' && PAGE.test(target ?? ''));
  if (target === undefined || isText || isHidden(target)) return item;
  // A bundler looks there on the machine that builds, too.
  const isLoaded = use === 'load' && (OF_A_MACHINE.test(path) || path.startsWith('@'));
  const hasEnding = /\.[a-z][a-z\d]{0,9}$/i.test(target);
  const isShown = hasEnding ? SHOWN.test(target) : /^$|\/$/.test(target);
  if (isShown && !isLoaded && (PAGE.test(target) || query === '' || use === 'link'))
    return undefined;
  return { ...item, target: isLoaded ? `/${target}` : target };
}

/** Undefined for what is not decoded the same way by everybody. */
function decoded(path: string): string | undefined {
  try {
    const once = decodeURIComponent(path);
    return /%(?:[\da-f]{2})|[?#<>"]/i.test(once) ? undefined : once;
  } catch {
    return undefined;
  }
}

/** Undefined if the path leads out of the repository. A site's own path counts from its top. */
function repositoryPath(path: string, from: string): string | undefined {
  const bare = path.replace(/^@site\//, '/').replace(/^@\//, '/');
  const joined = bare.startsWith('/')
    ? posix.join('.', bare.slice(1))
    : posix.join(posix.dirname(from), bare);
  return /^\.\.(?:\/|$)/.test(joined) || bare.startsWith('@') ? undefined : joined;
}

function isHidden(path: string): boolean {
  return path.split('/').some(part => /^\.(?!well-known$|\.?$)/.test(part));
}
