import { serveThread } from '../../shared/threads/serve-thread.ts';
import { type FoundInText, pointsInText } from '../review/points-in-text.ts';
import { type ContentItem, type SiteReading, TooComplex } from './content/item.ts';
import { itemsOfPage } from './content/page-items.ts';
import { type Secret, scanForSecrets } from './secrets/secrets.ts';

/** What the thread is asked, one at a time. */
export type Question =
  | { kind: 'content'; path: string; text: string; site: SiteReading }
  | { kind: 'secrets'; text: string }
  | { kind: 'points'; text: string; known: readonly string[] };

export interface Answers {
  content: ContentItem[];
  secrets: Secret[];
  points: FoundInText[];
}

/** Nested deeper than any page, or more work than any: why. */
export interface TooMuch {
  tooMuch: string;
}

serveThread(async (question: Question): Promise<Answers[keyof Answers] | TooMuch> => {
  try {
    if (question.kind === 'secrets') return await scanForSecrets(question.text);
    if (question.kind === 'points') return pointsInText(question.text, question.known);
    return itemsOfPage(question.path, question.text, question.site);
  } catch (error) {
    // A stack that overflows.
    if (error instanceof TooComplex || error instanceof RangeError)
      return { tooMuch: error.message };
    throw error;
  }
});
