/**
 * What a comment asks of the agent: its text without the mention; undefined where it is not
 * mentioned, or only in what it quotes.
 */
export function instructionIn(text: string, mention: string): string | undefined {
  const own = text
    .split(/\r?\n/)
    .filter(line => !/^\s*>/.test(line))
    .join('\n')
    .replace(/```[\s\S]*?```/g, block => block.replaceAll(mention, ''));
  const pattern = new RegExp(
    `(?<![\\w/.@-])${mention.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w/-])[,:]?`,
    'gi',
  );
  if (!pattern.test(own)) return undefined;
  return own.replace(pattern, '').trim() || undefined;
}

/** Whether a comment on code asks for its docs before the merge. */
export function asksToPrepare(text: string, mention: string): boolean {
  return /^prepare[.!]?$/i.test(instructionIn(text, mention) ?? '');
}
