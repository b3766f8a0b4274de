import { Type } from '@sinclair/typebox';
import { count } from './text.ts';
import { defineTool } from './tool.ts';

export const writeTodosTool = defineTool({
  name: 'write_todos',
  description:
    'Replaces the todo list that people see. For work of three steps or more; ' +
    'keep one item in_progress at a time.',
  input: Type.Object({
    todos: Type.Array(
      Type.Object({
        id: Type.String({ minLength: 1, maxLength: 100 }),
        content: Type.String({ minLength: 1, maxLength: 500 }),
        status: Type.Union([
          Type.Literal('pending'),
          Type.Literal('in_progress'),
          Type.Literal('completed'),
          Type.Literal('cancelled'),
        ]),
        priority: Type.Union([Type.Literal('high'), Type.Literal('medium'), Type.Literal('low')]),
      }),
      { maxItems: 100 },
    ),
  }),
  readOnly: false,
  summarize: input => {
    const todos = (input as { todos?: unknown } | null)?.todos;
    return Array.isArray(todos) ? count(todos.length, 'todo') : '';
  },
  async execute({ todos }) {
    const open = todos.filter(
      ({ status }) => status === 'pending' || status === 'in_progress',
    ).length;
    return {
      content: `The list has ${count(todos.length, 'todo')}, ${open} open.`,
      summary: `${count(todos.length, 'todo')}, ${open} open`,
      todos,
    };
  },
});
