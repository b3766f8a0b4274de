import { parentPort } from 'node:worker_threads';
import { DescriptionFiles } from './description-files.ts';
import { answerOpenApiQuestion, type OpenApiQuestion } from './openapi-questions.ts';

/** A question about a description; `files` has the texts that are known so far. */
export interface OpenApiRequest {
  id: number;
  path: string;
  files: [path: string, text: string][];
  /** Other files are not read any more: references to them stay as they are. */
  isLast: boolean;
  question: OpenApiQuestion;
}

/** The answer, or which files it needs first. */
export type OpenApiReply =
  { id: number; lacks: string[] } | { id: number; text: string; isError: boolean; found: string };

parentPort?.on('message', ({ id, path, files, isLast, question }: OpenApiRequest) => {
  parentPort?.postMessage({ id, ...reply() });

  function reply() {
    try {
      const read = new DescriptionFiles(new Map(files));
      const root = read.whole(path);
      if (read.lacks.size > 0 && !isLast) return { lacks: [...read.lacks] };
      return answerOpenApiQuestion(path, root, question);
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'it cannot be read';
      return { text: `${path} cannot be read: ${reason}`, isError: true, found: '' };
    }
  }
});
