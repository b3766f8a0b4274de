import { Type } from '@sinclair/typebox';
import { PLAN_TOOL } from '../../shared/agent-text.ts';
import { clip, count, inputMember } from './text.ts';
import { defineTool } from './tool.ts';

export const proposePlanTool = defineTool({
  name: PLAN_TOOL,
  description:
    'Ends the turn with your plan. A person approves it, changes it with a further instruction, or ' +
    'declines it; only then can you edit.',
  input: Type.Object({
    summary: Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: 'what readers will have, and how: a few sentences',
    }),
    changes: Type.Array(
      Type.Object({
        path: Type.String({ minLength: 1, maxLength: 500, description: 'from the root' }),
        change: Type.String({ minLength: 1, maxLength: 1_000, description: 'what changes in it' }),
      }),
      { minItems: 1, maxItems: 100, description: 'every file that you will add, edit or remove' },
    ),
    questions: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 1_000 }), {
        maxItems: 10,
        description: 'what you do not know and a person may answer, if anything',
      }),
    ),
  }),
  readOnly: false,
  summarize: input => inputMember(input, 'summary'),
  async execute({ summary, changes, questions = [] }) {
    return {
      content: 'Proposed.',
      summary: clip(
        `${count(changes.length, 'file')}: ${summary.replace(/\s+/g, ' ').trim()}`,
        150,
      ),
      plan: { summary, changes, questions },
    };
  },
});
