const OPEN = /<Visibility\b[^<>]{0,200}>/g;
const CLOSE = '</Visibility>';

/**
 * Markdown as agents read it: what a page has in `<Visibility for="humans">` is left out, and what
 * it has for agents stays without its tags.
 */
export function forAgents(content: string): string {
  if (!content.includes('<Visibility')) return content;
  let text = '';
  let from = 0;
  for (const match of content.matchAll(OPEN)) {
    if (match.index < from) continue;
    const start = match.index + match[0].length;
    const end = content.indexOf(CLOSE, start);
    if (end < 0) break;
    text += content.slice(from, match.index);
    if (!/\bfor\s*=\s*["'{\s]*humans/.test(match[0])) text += content.slice(start, end);
    from = end + CLOSE.length;
  }
  return text + content.slice(from);
}
