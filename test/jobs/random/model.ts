import type { MessagesRequest } from '../../../offline-model/protocol/messages-protocol.ts';
import type { ScriptedReply } from '../../support/scripted-model.ts';

const EDITOR = 'str_replace_based_edit_tool';
const DELAYS_MS = [0, 0, 60, 250, 700];

/** What a sequence tells its job: write a page of this name, or just ask about it. */
export const prompt = (kind: 'write' | 'ask', page: string) =>
  kind === 'write' ? `Write ${page}` : `Ask about ${page}`;
export const pagePath = (page: string) => `docs/${page}.md`;

/**
 * The stand-in of the model. It reads from the transcript alone what is still to be done, oldest
 * first, and says what it does: "Writing a.", "Which a?". Some calls are refused once with 529.
 */
export function createModel(): (request: MessagesRequest) => ScriptedReply {
  const refused = new Set<number>();
  return ({ messages }) => {
    const key = hash(JSON.stringify(messages));
    if (key % 17 === 0 && !refused.has(key)) {
      refused.add(key);
      return { status: 529, errorType: 'overloaded_error' };
    }
    const delayMs = DELAYS_MS[key % DELAYS_MS.length] ?? 0;
    const todo = pending(messages);
    const page = todo.find(([kind]) => kind === 'Write')?.[1];
    // Words alone end the turn: they must answer all that is asked.
    const said = [
      ...todo.flatMap(([kind, asked]) => (kind === 'Write' ? [] : [`Which ${asked}?`])),
      ...(page ? [`Writing ${page}.`] : []),
    ].join('\n');
    if (page)
      return {
        delayMs,
        text: said,
        toolUses: [
          {
            name: EDITOR,
            input: {
              command: 'create',
              path: pagePath(page),
              file_text: `---\ntitle: ${page}\n---\n\n# ${page}\n\nWritten.\n`,
            },
          },
        ],
      };
    if (said) return { delayMs, text: said };
    return {
      delayMs,
      toolUses: [
        { name: 'finish', input: { title: 'Write pages', body: 'As asked.', message: 'Done.' } },
      ],
    };
  };
}

/** Instructions of the transcript that no answer has dealt with and no cancel has taken back. */
function pending(messages: MessagesRequest['messages']): [kind: string, page: string][] {
  let open: [string, string][] = [];
  for (const { role, content } of messages) {
    for (const text of texts(content)) {
      const [, kind, page] = /^(Write|Ask about) (\w+)$/.exec(text) ?? [];
      if (role === 'assistant') open = open.filter(([, asked]) => !carriedOut(text, asked));
      else if (text.includes('The last turn was ended before anything was published')) open = [];
      else if (kind && page) open.push([kind, page]);
    }
  }
  return open;
}

/** Whether what the model said deals with a page. */
export function carriedOut(said: string, page: string): boolean {
  return said.split('\n').some(line => line === `Writing ${page}.` || line === `Which ${page}?`);
}

function texts(content: MessagesRequest['messages'][number]['content']): string[] {
  return typeof content === 'string'
    ? [content]
    : content.flatMap(block => (block.type === 'text' && block.text ? [block.text.trim()] : []));
}

function hash(text: string): number {
  let value = 7;
  for (let i = 0; i < text.length; i++) value = (Math.imul(value, 31) + text.charCodeAt(i)) >>> 0;
  return value;
}
