import { Type } from '@sinclair/typebox';
import { clip, inputMember } from './text.ts';
import { defineTool } from './tool.ts';

export const askTool = defineTool({
  name: 'ask',
  description:
    'Ends the turn with a question to the person who asked, if you cannot continue without the ' +
    'answer. Edits are kept and nothing is published; the answer comes as a further instruction.',
  input: Type.Object({
    question: Type.String({ minLength: 1, description: 'one question, with what you found out' }),
    options: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: 10,
        description: 'the answers to choose from, if any',
      }),
    ),
  }),
  readOnly: false,
  summarize: input => inputMember(input, 'question'),
  async execute({ question, options = [] }) {
    const ask = { question, ...(options.length > 0 && { options }) };
    return { content: 'Asked.', summary: clip(question.replace(/\s+/g, ' ').trim(), 150), ask };
  },
});
