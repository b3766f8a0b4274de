import { setTimeout as sleep } from 'node:timers/promises';
import { type AskBack, serveThread } from '../../../shared/threads/serve-thread.ts';

export type TestQuestion =
  | { kind: 'echo'; text: string; afterMs?: number }
  | { kind: 'count' }
  | { kind: 'spin' }
  | { kind: 'fill' }
  | { kind: 'exit' }
  | { kind: 'throw' }
  | { kind: 'ask'; names: string[] };

let asked = 0;

serveThread(async (question: TestQuestion, askBack: AskBack<string, string>) => {
  asked += 1;
  switch (question.kind) {
    case 'echo':
      await sleep(question.afterMs ?? 0);
      return question.text;
    case 'count':
      return asked;
    case 'spin':
      for (;;) asked += 1;
    case 'fill':
      for (const kept: string[][] = []; ;) kept.push(Array.from({ length: 1e5 }, String));
    case 'exit':
      process.exit();
    case 'throw':
      throw new Error('no answer to this');
    case 'ask': {
      const replies: string[] = [];
      for (const name of question.names) replies.push(await askBack(name));
      return replies.join(' ');
    }
  }
});
