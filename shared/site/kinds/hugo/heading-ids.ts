import { type PageOutline, trailingBraces, withoutBraces } from '../../outline/page-outline.ts';

/** Goldmark's own rule, on the heading as it is written. */
export function headingIds(outline: PageOutline): string[] {
  const used = new Set<string>();
  return outline.headings.map(({ raw, id: written }) => {
    if (written !== undefined) return written;
    const own = /#([^\s}]+)/.exec(trailingBraces(raw))?.[1];
    const text = withoutBraces(withoutShortcodes(raw));
    const slug = own ?? slugOf(text);
    let id = slug === '' ? 'heading' : slug;
    for (let count = 1; used.has(id); count++) id = `${slug}-${count}`;
    used.add(id);
    return id;
  });
}

/** `{{< name >}}` and `{{% name %}}` are put in later; a mark that is not closed ends the search. */
function withoutShortcodes(text: string): string {
  let kept = '';
  let from = 0;
  for (const { index } of text.matchAll(/\{\{[<%]/g)) {
    if (index < from) continue;
    const ends = ['>}}', '%}}'].map(end => text.indexOf(end, index)).filter(end => end >= 0);
    if (ends.length === 0) break;
    kept += text.slice(from, index);
    from = Math.min(...ends) + 3;
  }
  return kept + text.slice(from);
}

function slugOf(text: string): string {
  return [...text.trim().toLowerCase()]
    .map(char => (/[\p{L}\p{N}_-]/u.test(char) ? char : /\s/.test(char) ? '-' : ''))
    .join('');
}
