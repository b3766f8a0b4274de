import { blocksOf, type MessagesRequest } from '../../offline-model/protocol/messages-protocol.ts';
import { EDITOR } from '../support/replies.ts';
import type { ForcedCall } from './calling-proxy.ts';

export const edit = (input?: ForcedCall['input']): ForcedCall => ({
  name: EDITOR,
  ...(input && { input }),
});
export const FINISH: ForcedCall = {
  name: 'finish',
  input: { title: 'Say second', body: { maxLength: 40 }, message: { maxLength: 40 } },
};
/** What a doctor's trial asks for. */
export const TRIAL = edit({
  ...{ command: 'str_replace', path: 'docs/limits.md' },
  ...{ old_str: 'Uploads may have 10 MB.', new_str: 'Uploads may have 25 MB.' },
});
const PAGE = '---\ntitle: New\n---\n\n# New\n\nOne more page.\n';

/** An edit, the page that it is of, and what the page then is. */
export const EDITS: [string, ForcedCall, path: string, page: RegExp][] = [
  [
    'str_replace',
    edit({
      ...{ command: 'str_replace', path: 'docs/guide.md' },
      ...{ old_str: 'The first line.', new_str: 'The second line.' },
    }),
    'docs/guide.md',
    /^# Guide\n\nThe second line\.$/m,
  ],
  [
    'create',
    edit({ command: 'create', path: 'docs/new.md', file_text: PAGE }),
    'docs/new.md',
    /^One more page\.$/m,
  ],
  [
    'insert',
    edit({
      ...{ command: 'insert', path: 'docs/guide.md' },
      ...{ insert_line: 6, insert_text: 'One more line.\n' },
    }),
    'docs/guide.md',
    /^One more line\.$/m,
  ],
];

interface Call {
  name: string;
  input: Record<string, unknown>;
}

/** What the model called last, as it is told itself. */
export function lastCall({ messages }: Pick<MessagesRequest, 'messages'>): Call | undefined {
  return messages
    .filter(({ role }) => role === 'assistant')
    .flatMap(({ content }) => blocksOf(content))
    .findLast(({ type }) => type === 'tool_use') as Call | undefined;
}
