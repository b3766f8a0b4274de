/**
 * Boxes that generators write in their own ways, in the one way that the parser of directives
 * reads: `:::name[Title]`, its lines, `:::`. An outer box needs more colons than an inner one.
 */
const MOST_COLONS = 40;
/** Lines of a page; the rest stays as it is written. */
const MOST_LINES = 50_000;

interface Box {
  name: string;
  title: string;
  isOpen?: boolean;
}

/** Rewrites the boxes of MkDocs, VitePress, Starlight, Docusaurus, MyST and GitHub. */
export function withDirectives(body: string): string {
  const lines = body.split('\n');
  if (lines.length > MOST_LINES) return body;
  return rewritten(lines, 0).join('\n');
}

function rewritten(lines: readonly string[], depth: number): string[] {
  const out: string[] = [];
  let fence = '';
  const open: { colons: number; written: number }[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (fence === '') {
      const taken =
        indented(lines, at, depth) ?? mystFence(lines, at, depth) ?? quoted(lines, at, depth);
      if (taken) {
        out.push(...taken.lines);
        at = taken.last;
        continue;
      }
      const colons = colonLine(line, depth + open.length);
      if (colons) {
        out.push(colons.line);
        if (colons.opens) open.push({ colons: colons.written, written: colons.used });
        continue;
      }
      const closes = /^[ \t]*(:{3,})[ \t]*$/.exec(line);
      const last = open.at(-1);
      if (closes && last) {
        open.pop();
        out.push(':'.repeat(last.written));
        continue;
      }
    }
    fence = fenceAfter(fence, line);
    out.push(line);
  }
  return out;
}

/** The mark of the fence that is open after a line; '' outside of code. */
function fenceAfter(fence: string, line: string): string {
  const mark = /^[ \t>]*(`{3,}|~{3,})/.exec(line)?.[1];
  if (mark === undefined) return fence;
  if (fence === '') return mark;
  const isEnd = mark.startsWith(fence) && line.replace(/[\s>]/g, '') === mark;
  return isEnd ? '' : fence;
}

function opening({ name, title, isOpen }: Box, depth: number): string {
  const colons = ':'.repeat(Math.max(3, MOST_COLONS - depth));
  const label = title === '' ? '' : `[${title.replace(/[[\]\\]/g, '\\$&')}]`;
  return `${colons}${name}${label}${isOpen ? '{open="true"}' : ''}`;
}

function closing(depth: number): string {
  return ':'.repeat(Math.max(3, MOST_COLONS - depth));
}

/** `::: tip Title`, `:::note[Title]`, `:::{note} Title`: all begin with three colons or more. */
function colonLine(line: string, depth: number) {
  const [, colons = '', braced, plain, rest = ''] =
    /^[ \t]{0,3}(:{3,})[ \t]*(?:\{([\w-]+)\}|([A-Za-z][\w-]*))(.*)$/.exec(line) ?? [];
  const name = braced ?? plain;
  if (name === undefined) return undefined;
  const [, label, after = ''] = /^\[(.*?)\](.*)$/.exec(rest) ?? [undefined, undefined, rest];
  const [, attributes, text = ''] = /^[ \t]*\{([^{}]*)\}(.*)$/.exec(after) ?? [
    undefined,
    undefined,
    after,
  ];
  const named = /\btitle\s*=\s*"([^"]*)"/.exec(attributes ?? '')?.[1];
  const title = label ?? named ?? text.trim();
  const used = Math.max(3, MOST_COLONS - depth);
  return {
    line: opening({ name, title, isOpen: /\bopen\b/.test(attributes ?? '') }, depth),
    opens: true,
    written: colons.length,
    used,
  };
}

/** `!!! note "Title"`, `??? note`, `=== "Tab"`, with their lines indented by four. */
function indented(lines: readonly string[], at: number, depth: number) {
  const [, indent = '', mark = '', rest = ''] =
    /^([ \t]*)(!!!|\?\?\?\+?|===)[ \t]+(.*)$/.exec(lines[at] ?? '') ?? [];
  if (mark === '') return undefined;
  const box = mark === '===' ? tabOf(rest) : admonitionOf(mark, rest);
  if (!box) return undefined;
  const inner: string[] = [];
  let last = at;
  for (let next = at + 1; next < lines.length; next += 1) {
    const line = lines[next] ?? '';
    if (line.trim() !== '' && !line.startsWith(`${indent}    `) && !line.startsWith(`${indent}\t`))
      break;
    inner.push(line.slice(indent.length).replace(/^(?: {4}|\t)/, ''));
    if (line.trim() !== '') last = next;
  }
  const body = rewritten(inner.slice(0, last - at), depth + 1);
  const written = [opening(box, depth), ...body, closing(depth), ''];
  return { lines: ['', ...written].map(line => indent + line), last };
}

function admonitionOf(mark: string, rest: string): Box | undefined {
  const [, name, , title] = /^([\w-]+)((?:[ \t]+[\w-]+)*)(?:[ \t]+"(.*)")?[ \t]*$/.exec(rest) ?? [];
  if (name === undefined) return undefined;
  if (mark === '!!!') return { name, title: title ?? '' };
  const shown = title ?? `${name[0]?.toUpperCase()}${name.slice(1)}`;
  return { name: 'details', title: shown, isOpen: mark === '???+' };
}

function tabOf(rest: string): Box | undefined {
  const title = /^[!+]?[ \t]*"(.*)"[ \t]*$/.exec(rest)?.[1];
  return title === undefined ? undefined : { name: 'tab', title };
}

/** MyST: a fence whose language is a name in braces, such as `{note}`. */
function mystFence(lines: readonly string[], at: number, depth: number) {
  const [, fence = '', name = '', title = ''] =
    /^(`{3,}|~{3,})\{([a-z]+)\}[ \t]*(.*)$/.exec(lines[at] ?? '') ?? [];
  if (!MYST.has(name)) return undefined;
  const end = lines.findIndex((line, i) => i > at && line.trim() === fence);
  if (end < 0) return undefined;
  const inner = lines.slice(at + 1, end).filter((line, i) => !(i < 4 && /^:[\w-]+:/.test(line)));
  const body = rewritten(inner, depth + 1);
  return { lines: [opening({ name, title }, depth), ...body, closing(depth)], last: end };
}

const MYST = new Set(
  'note tip warning danger caution important hint attention error seealso admonition dropdown'.split(
    ' ',
  ),
);

/** GitHub: a quote that begins with `[!NOTE]`. */
function quoted(lines: readonly string[], at: number, depth: number) {
  const [, name] =
    /^[ ]{0,3}>[ \t]*\[!(note|tip|important|warning|caution|info|danger)\][ \t]*$/i.exec(
      lines[at] ?? '',
    ) ?? [];
  if (name === undefined) return undefined;
  let last = at;
  while (/^[ ]{0,3}>/.test(lines[last + 1] ?? '')) last += 1;
  const inner = lines.slice(at + 1, last + 1).map(line => line.replace(/^[ ]{0,3}>[ ]?/, ''));
  const body = rewritten(inner, depth + 1);
  return {
    lines: [
      '',
      opening({ name: name.toLowerCase(), title: '' }, depth),
      ...body,
      closing(depth),
      '',
    ],
    last,
  };
}
