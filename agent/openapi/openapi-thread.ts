import { type AskBack, serveThread } from '../../shared/threads/serve-thread.ts';
import { DescriptionFiles } from './description-files.ts';
import {
  answerOpenApiQuestion,
  type OpenApiAnswer,
  type OpenApiQuestion,
} from './openapi-questions.ts';

/** A question about a description; the thread asks back for the texts of its files. */
export interface OpenApiRequest {
  path: string;
  question: OpenApiQuestion;
}

/** Files beside the first one, and how many times they may name further ones. */
const MOST_FILES = 200;
const MOST_ROUNDS = 8;

type AskTexts = AskBack<string[], [path: string, text: string][]>;

serveThread(
  async ({ path, question }: OpenApiRequest, askTexts: AskTexts): Promise<OpenApiAnswer> => {
    const texts = new Map([[path, ''], ...(await askTexts([path]))]);
    try {
      return answerOpenApiQuestion(path, await wholeOf(path, texts, askTexts), question);
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'it cannot be read';
      return { text: `${path} cannot be read: ${reason}`, isError: true, found: '' };
    }
  },
);

/** With the files that it names; references to others stay as they are. */
async function wholeOf(
  path: string,
  texts: Map<string, string>,
  askTexts: AskTexts,
): Promise<unknown> {
  for (let round = 1; ; round += 1) {
    const files = new DescriptionFiles(texts);
    const root = files.whole(path);
    if (files.lacks.size === 0 || round === MOST_ROUNDS || texts.size > MOST_FILES) return root;
    const found = await askTexts([...files.lacks].slice(0, MOST_FILES));
    // None of them exists: what can be said without them.
    if (found.length === 0) return root;
    for (const [file, text] of found) texts.set(file, text);
  }
}
