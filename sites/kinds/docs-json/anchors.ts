import {
  type OutlineHeading,
  type PageOutline,
  plainText,
  trailingBraces,
} from '../../outline/page-outline.ts';

/** Components whose title, or label, is an id, as that of a heading is. */
const TITLED =
  /<(?:Accordion|Tab|View|Step|Update|Prompt|Expandable)\b[^>]{0,500}?\s(?:title|label)=(["'])([^"'\n]{1,200})\1/g;
const FIELDS =
  /<(?:ParamField|Param|ResponseField)\b[^>]{0,300}?\s(?:query|path|body|header|name)=(["'])([^"'\n]{1,200})\1/g;

/** The ids of a page's headings: as written behind them (`{#id}`), else as the host makes them. */
export function headingIds({ headings }: PageOutline): string[] {
  const ids = headings.map(heading => ({ own: ownId(heading), made: idOf(titleOf(heading)) }));
  const made = numbered(ids.map(({ own, made: id }) => own ?? bare(id)));
  return ids.map(({ own }, i) => own ?? made[i] ?? '');
}

function ownId({ id, parts }: OutlineHeading): string | undefined {
  return id ?? /^\{#([^}]+)\}$/.exec(trailingBraces(plainText(parts)))?.[1];
}

/** Quotes of text, not of code, are typographic. */
function titleOf({ parts }: OutlineHeading): string {
  return plainText(
    parts.map(part => (part.kind === 'text' ? { ...part, value: curled(part.value) } : part)),
  );
}

function curled(text: string): string {
  return text.replace(/(^|[\s(])'/g, '$1‘').replaceAll("'", '’');
}

/** Ids that the host gives to headings and components, in every form that leads there. */
export function hostIds(outline: PageOutline): string[] {
  const titles = [
    ...outline.headings.map(titleOf),
    ...Array.from(outline.text.matchAll(TITLED), ([, , title = '']) => title),
  ];
  const fields = Array.from(outline.text.matchAll(FIELDS), ([, , name = '']) =>
    `param-${name.replace(/([a-z\d])([A-Z])/g, '$1-$2')}`.replaceAll('_', '-'),
  );
  return [...numbered(titles.map(idOf)), ...numbered(fields.map(idOf))].flatMap(id => [
    id,
    bare(id),
    id.replaceAll('_', ''),
  ]);
}

function bare(id: string): string {
  return id.replace(/[?,;:!'"()[\]{}]/g, '');
}

/** What a browser shows for the escaped text; dots and dashes become one dash. */
function idOf(title: string): string {
  try {
    const escaped = encodeURIComponent(
      title.toLowerCase().replaceAll(':', '').trim().replace(/\s+/g, '-'),
    );
    const id = escaped.replace(/[^\w%]+/g, '-').replace(/^-|-$/g, '');
    return decodeURIComponent(id).replace(/\p{Extended_Pictographic}|\u200D|\uFE0E|\uFE0F/gu, '');
  } catch {
    return title;
  }
}

/** A repeated id gets `-2`, `-3`. */
function numbered(ids: string[]): string[] {
  const counts = new Map<string, number>();
  return ids.map(id => {
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return count === 1 ? id : `${id}-${count}`;
  });
}
