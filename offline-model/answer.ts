import type { AnswerBlock, MessagesRequest } from './messages-protocol.ts';

export function answerQuestion(request: MessagesRequest): AnswerBlock[] {
  void request;
  return [{ type: 'text', text: 'x' }];
}
