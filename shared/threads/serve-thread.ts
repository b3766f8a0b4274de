import { parentPort } from 'node:worker_threads';

/** What `Thread` sends: questions, and what it answers when it is asked back. */
export type ToThread =
  | { id: number; question: unknown }
  | { id: number; reply: unknown }
  | { id: number; refused: true };

/** What it receives: one answer or failure for each question, before it any number of `asked`. */
export type FromThread =
  | { id: number; answer: unknown }
  | { id: number; failure: string }
  | { id: number; asked: unknown };

/** Asks the process something that is needed for the answer. Throws if it cannot say. */
export type AskBack<Asked, Reply> = (asked: Asked) => Promise<Reply>;

/**
 * The other end of a `Thread`: answers its questions, each as soon as it arrives. What `answer`
 * throws fails that question alone. Without a thread around it, it does nothing.
 */
export function serveThread<Asked = never, Reply = never>(
  answer: (question: never, askBack: AskBack<Asked, Reply>) => unknown,
): void {
  const asking = new Map<number, { resolve(reply: Reply): void; reject(error: Error): void }>();
  const say = (message: FromThread): void => parentPort?.postMessage(message);
  parentPort?.on('message', (message: ToThread) => {
    const { id } = message;
    if ('question' in message) void handle(id, message.question as never);
    else if ('reply' in message) asking.get(id)?.resolve(message.reply as Reply);
    else asking.get(id)?.reject(new Error('What was asked back has no answer.'));
  });

  async function handle(id: number, question: never): Promise<void> {
    const askBack = (asked: Asked) =>
      new Promise<Reply>((resolve, reject) => {
        asking.set(id, { resolve, reject });
        say({ id, asked });
      });
    try {
      say({ id, answer: await answer(question, askBack) });
    } catch (error) {
      say({ id, failure: error instanceof Error ? error.message : String(error) });
    } finally {
      asking.delete(id);
    }
  }
}
