import { Token, Tokenizer, TokenizerMode } from 'parse5';
import { srcsetUrls } from '../../page-links.ts';

export interface BuiltLink {
  kind: 'link' | 'image';
  /** As written in the HTML. */
  url: string;
}

/** What the check needs of an HTML page. */
export interface BuiltPage {
  links: BuiltLink[];
  /** Ids of elements, and names of `<a>`. */
  ids: Set<string>;
  /** Of `<base>`: what relative links begin at. */
  base: string | undefined;
  /** Where `<meta http-equiv=refresh>` leads. */
  refresh: string | undefined;
}

/** Elements whose text is not read as markup. */
const TEXT_MODES = new Map<string, Tokenizer['state']>([
  ['title', TokenizerMode.RCDATA],
  ['textarea', TokenizerMode.RCDATA],
  ['style', TokenizerMode.RAWTEXT],
  ['xmp', TokenizerMode.RAWTEXT],
  ['iframe', TokenizerMode.RAWTEXT],
  ['script', TokenizerMode.SCRIPT_DATA],
]);

const LINKS = new Set(['a', 'area']);
/** Attributes with the address of a picture, a film, or a page within the page. */
const SOURCES: Record<string, readonly string[]> = {
  img: ['src', 'srcset'],
  source: ['src', 'srcset'],
  video: ['src', 'poster'],
  audio: ['src'],
  iframe: ['src'],
  embed: ['src'],
};

/** Reads a page as a browser without scripts does. No tree is built: 30 MB a second. */
export function readBuiltPage(html: string): BuiltPage {
  const page: BuiltPage = { links: [], ids: new Set(), base: undefined, refresh: undefined };
  const nothing = () => {};
  const tokenizer: Tokenizer = new Tokenizer(
    {},
    {
      onStartTag(token) {
        readTag(page, token);
        const mode = TEXT_MODES.get(token.tagName);
        if (mode === undefined || token.selfClosing) return;
        tokenizer.state = mode;
        tokenizer.lastStartTagName = token.tagName;
      },
      onEndTag: nothing,
      onEof: nothing,
      onComment: nothing,
      onDoctype: nothing,
      onCharacter: nothing,
      onNullCharacter: nothing,
      onWhitespaceCharacter: nothing,
    },
  );
  tokenizer.write(html, true);
  return page;
}

function readTag(page: BuiltPage, token: Token.TagToken): void {
  const { tagName } = token;
  const of = (name: string) => Token.getTokenAttr(token, name) ?? undefined;
  const id = of('id');
  if (id !== undefined && id !== '') page.ids.add(id);
  if (LINKS.has(tagName)) {
    const [href, name] = [of('href'), of('name')];
    if (name !== undefined && name !== '') page.ids.add(name);
    if (href !== undefined) page.links.push({ kind: 'link', url: href.trim() });
  } else if (tagName === 'base') page.base ??= of('href');
  else if (tagName === 'meta' && of('http-equiv')?.toLowerCase() === 'refresh')
    page.refresh ??= /^\s*[\d.]*\s*[;,]?\s*url\s*=\s*["']?([^"']+)/i.exec(of('content') ?? '')?.[1];
  for (const name of Object.hasOwn(SOURCES, tagName) ? (SOURCES[tagName] ?? []) : []) {
    const value = of(name)?.trim() ?? '';
    const urls = name === 'srcset' ? srcsetUrls(value) : [value];
    for (const url of urls) if (url !== '') page.links.push({ kind: 'image', url });
  }
}
