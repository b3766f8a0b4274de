import { parse as parseToml } from 'smol-toml';
import { isNode, parseDocument, visit } from 'yaml';
import { isRemote, judgeAddress } from '../addresses.ts';
import { type Report, squeeze } from '../item.ts';
import { isNestedDeeper } from '../../../../sites/nesting.ts';

const LONGEST = 64 * 1024;
/** Of lists and members. */
const DEEPEST = 50;
/** Members that name or sort a page, and do nothing else. */
const SAFE_MEMBERS = new Set(
  (
    'title description sidebar_label sidebar_position sidebarTitle slug id tags keywords weight date ' +
    'lastmod updated draft icon iconType order nav_order nav_title toc hide hide_title ' +
    'hide_table_of_contents toc_min_heading_level toc_max_heading_level author authors category ' +
    'categories summary status tag mode hidden boost deprecated outline prev next pagination_prev ' +
    'pagination_next pagination_label lang linkTitle aliases search label noindex unlisted image ' +
    'sidebar tableOfContents lastUpdated editUrl navigation parent has_children comments version ' +
    'public groups subtitle name contributors'
  ).split(' '),
);

export interface FrontMatter {
  /** Offset in the text at which the body begins. */
  end: number;
}

/**
 * Judges a page's front matter and finds its end. Only YAML between two lines of `---` and TOML
 * between two of `+++` is front matter; whatever looks like another language is refused.
 */
export function judgeFrontMatter(text: string, report: Report): FrontMatter {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  const other = /^\s*(?:---[ \t]*[^\s-][^\n]*|;;;[^\n]*|\{\s*"[^"]*"\s*:)/.exec(
    text.slice(start, start + 500),
  );
  if (other) {
    refuse(other[0], 'front matter in a language other than YAML', report);
    return { end: start };
  }
  const late = /^\s+(?:---|\+\+\+)[ \t]*\r?\n\s*["'\w-]+\s*[:=]/.exec(
    text.slice(start, start + 2_000),
  );
  if (late) refuse(text.slice(start, start + 2_000), 'front matter behind an empty line', report);
  const [fence] = /^(?:---|\+\+\+)(?=[ \t]*\r?\n)/.exec(text.slice(start, start + 200)) ?? [];
  if (fence === undefined) return { end: start };
  const closing = new RegExp(
    `\\n${fence === '---' ? '(?:---|\\.\\.\\.)' : '\\+\\+\\+'}[ \\t]*(?:\\r?\\n|$)`,
    'g',
  );
  closing.lastIndex = start;
  const close = closing.exec(text);
  if (!close) return { end: start };
  const from = text.indexOf('\n', start) + 1;
  const matter = text.slice(from, Math.max(from, close.index));
  if (fence === '---') judgeYaml(matter, report);
  else judgeToml(matter, report);
  return { end: close.index + close[0].length };
}

function judgeYaml(matter: string, report: Report): void {
  if (matter.length > LONGEST)
    return refuse(matter.slice(0, 200), 'front matter over 64 KiB', report);
  const document = readYaml(matter);
  if (document === undefined)
    return refuse(matter, 'front matter that cannot be read as YAML', report);
  if (
    document.tag !== undefined ||
    /(?:^|[\s[{,:-])!{1,2}[\w</]/.test(matter.replace(/"[^"\n]*"|'[^'\n]*'/g, ''))
  )
    return refuse(matter, 'a tag of YAML', report);
  judgeMembers(document.members, report);
}

/** Undefined for errors, for too many aliases, and for what is nested too deep to be read. */
function readYaml(matter: string) {
  if (isNestedDeeper(matter, DEEPEST) || /(?:[-?:][ \t]+){50}/.test(matter)) return undefined;
  try {
    const document = parseDocument(matter, { prettyErrors: false, logLevel: 'silent' });
    if (document.errors.length > 0) return undefined;
    let tag: string | undefined;
    visit(document, (_, node) => {
      if (
        isNode(node) &&
        node.tag !== undefined &&
        /^!|^tag:/.test(node.tag) &&
        !/^tag:yaml\.org,2002:(?:str|int|float|bool|null|map|seq)$/.test(node.tag)
      )
        tag ??= node.tag;
    });
    return { tag, members: document.toJS({ maxAliasCount: 100 }) as unknown };
  } catch {
    return undefined;
  }
}

function judgeToml(matter: string, report: Report): void {
  try {
    if (isNestedDeeper(matter, DEEPEST)) throw new Error('nested too deep');
    judgeMembers(parseToml(matter), report);
  } catch {
    refuse(matter, 'front matter that cannot be read as TOML', report);
  }
}

function judgeMembers(members: unknown, report: Report): void {
  if (members === null || members === undefined) return;
  if (typeof members !== 'object' || Array.isArray(members))
    return refuse(JSON.stringify(members), 'front matter without members', report);
  for (const [name, value] of Object.entries(members)) judgeMember(name, value, report);
}

function judgeMember(name: string, value: unknown, report: Report): void {
  const source = squeeze(JSON.stringify(value) ?? '');
  const say = (rule: 'script' | 'front-matter', key: string, what: string): void =>
    report(0, { rule, key, what, instead: 'Leave the member out.', hint: name });
  if (/^(?:head|scripts?|styles?|css|js|javascript|extra_css|extra_javascript)$/i.test(name))
    return say(
      'script',
      `member ${name} ${source}`,
      `a front matter member \`${name}\`, which puts elements into the page`,
    );
  const texts = textsOf(value);
  if (!SAFE_MEMBERS.has(name))
    say(
      'front-matter',
      `member ${name} ${[...new Set(texts.filter(isRemote).map(originOf))].join(' ')}`,
      `a front matter member \`${name}\`, which no page of the site uses so`,
    );
  for (const text of texts) {
    if (ACTIVE.test(text))
      say('script', `member ${name} ${source}`, `markup in the front matter member \`${name}\``);
    else if (/^[\p{Cc}\p{Cf}\p{Z}]*[a-z&#\d;]{0,200}(?:script|data)[^\s]{0,200}:/iu.test(text))
      judgeAddress(text, 0, `an address in the front matter member \`${name}\``, report);
  }
}

/** Markup in a title may end up in the page as it is. */
const ACTIVE =
  /<[a-z!?/][^>]{0,2000}[\s/"'](?:on\w+|style|src|href|srcdoc)\s*=|<\/?(?:script|style|iframe|object|embed|link|meta|base|form|svg|math|template)\b|\{\{|\{%/i;

/** Scheme and host, so that the same place is known again. */
function originOf(address: string): string {
  return /^\s*(?:[a-z][a-z\d+.-]*:)?\/\/[^/?#\\]*/i.exec(address)?.[0] ?? address;
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsOf(inner)]);
}

function refuse(source: string, what: string, report: Report): void {
  report(0, {
    rule: 'front-matter',
    key: `front matter ${squeeze(source).slice(0, 2_000)}`,
    what,
    instead: 'Begin the page with plain `name: value` lines between two lines of `---`.',
    hint: source.slice(0, 12),
  });
}
