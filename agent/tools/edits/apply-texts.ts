import { readTextFile, writeTextFile } from '../text.ts';
import type { ToolContext } from '../tool.ts';

/**
 * Writes what an edit of the site came to: new texts, or null for files that go. Returns the files
 * that were not written with the reasons; a file that is not text stays as it is, since its bytes
 * would be lost.
 */
export async function applyTexts(
  texts: ReadonlyMap<string, string | null>,
  context: ToolContext,
): Promise<Map<string, string>> {
  const refused = new Map<string, string>();
  for (const [path, text] of texts) {
    if (text === null) {
      context.workspace.remove(path);
      continue;
    }
    const before = context.workspace.has(path) ? await readTextFile(path, context) : { text: '' };
    const refusal = 'error' in before ? before.error : writeTextFile(path, text, context);
    if (refusal !== undefined) refused.set(path, refusal);
  }
  return refused;
}

/** Sentences about what was done that are still true. */
export function withoutRefused(
  sentences: readonly string[],
  refused: ReadonlyMap<string, string>,
): string[] {
  const files = [...refused.keys()];
  return sentences.filter(sentence => !files.some(file => sentence.includes(file)));
}
