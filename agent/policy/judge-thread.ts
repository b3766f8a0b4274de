import { parentPort } from 'node:worker_threads';
import type { ContentItem, SiteReading } from './content/item.ts';
import { itemsOfPage } from './content/reading/page-items.ts';
import { TooComplex } from './content/work.ts';
import { type Secret, scanForSecrets } from './secrets/secrets.ts';

/** What the thread receives, one at a time. */
export type Question =
  | { kind: 'content'; path: string; text: string; site: SiteReading }
  | { kind: 'secrets'; text: string };

export interface Answers {
  content: ContentItem[];
  secrets: Secret[];
}

export type FromThread =
  { answer: Answers[keyof Answers] } | { failure: string; isTooComplex: boolean };

parentPort?.on('message', (question: Question) => void answer(question));

async function answer(question: Question): Promise<void> {
  try {
    say({ answer: await judge(question) });
  } catch (error) {
    const failure = error instanceof Error ? error.message : '';
    // A stack that overflows is nested deeper than any page.
    const isTooComplex = error instanceof TooComplex || error instanceof RangeError;
    say({ failure, isTooComplex });
  }
}

function judge(question: Question): ContentItem[] | Promise<Secret[]> {
  return question.kind === 'secrets'
    ? scanForSecrets(question.text)
    : itemsOfPage(question.path, question.text, question.site);
}

function say(message: FromThread): void {
  parentPort?.postMessage(message);
}
