import type { MessagesRequest } from '../../offline-model/protocol/messages-protocol.ts';
import type { Dice } from '../jobs/random/dice.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import { EDITOR } from '../support/replies.ts';

export const PAGE = 'docs/log.md';
export const LAST_LINE = 'end of the log';
/** Of a job whose answers cost more than `BUDGET_USD`. */
export const DEAR = 'whatever it costs';
export const BUDGET_USD = 0.01;
/** An instruction of the load: a line with this marker is to be added to the page. */
export const instruction = (marker: string) => `Add the line ${marker}`;

/**
 * Adds every marker that is asked for and that no tool result shows, in the order of the
 * instructions; then it finishes. Now and then it fails as a model does.
 */
export function answer(
  request: MessagesRequest,
  dice: Dice,
  faults: boolean,
): ScriptedReply | Promise<ScriptedReply> {
  if (faults && dice.below(12) === 0) return fault(dice);
  if (!request.tools?.some(({ name }) => name === EDITOR || name === 'propose_plan'))
    return { text: 'The log has a line for each change.', dripMs: dice.below(50) }; // to a reader
  const texts = request.messages.map(message => JSON.stringify(message));
  if (request.tools?.some(({ name }) => name === 'propose_plan')) return plan(texts.length);
  const usage = texts.some(text => text.includes(DEAR)) ? { usage: { output: 3_000 } } : {};
  const asked = [...new Set(texts.flatMap(text => text.match(/Add the line (m\d+x)/g) ?? []))];
  // A turn that was taken back says so, and the page shows what is there.
  const sinceTakenBack = texts.findLastIndex(text => text.includes('taken back'));
  const done = addedMarkers(request.messages, sinceTakenBack + 1);
  for (const each of asked) {
    const marker = each.replace('Add the line ', '');
    if (done.has(marker)) continue;
    const input = {
      command: 'str_replace',
      path: PAGE,
      old_str: LAST_LINE,
      new_str: `${marker}\n\n${LAST_LINE}`,
    };
    return { ...usage, delayMs: 20 + dice.below(300), toolUses: [{ name: EDITOR, input }] };
  }
  const title = `Add ${asked.length} lines`;
  return {
    ...usage,
    delayMs: 20 + dice.below(200),
    toolUses: [{ name: 'finish', input: { title, body: `${title}.`, message: 'Added.' } }],
  };
}

function plan(length: number): ScriptedReply {
  const change = { path: PAGE, change: 'Add the lines.' };
  const input = { summary: `The plan after ${length} messages.`, changes: [change], questions: [] };
  return { toolUses: [{ name: 'propose_plan', input }] };
}

/** The markers of edits that were carried out: one whose turn failed first has an error for a result. */
function addedMarkers(messages: MessagesRequest['messages'], from: number): Set<string> {
  const blocks = messages
    .slice(from)
    .flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  const failed = new Set(
    blocks.flatMap(block => (block.is_error ? (block.tool_use_id ?? []) : [])),
  );
  const edits = blocks.filter(({ id }) => id !== undefined && !failed.has(id));
  return new Set(
    edits.flatMap(
      ({ input }) => /^m\d+x/.exec((input as { new_str?: string })?.new_str ?? '') ?? [],
    ),
  );
}

function fault(dice: Dice): ScriptedReply {
  switch (dice.pick({ overloaded: 3, failing: 2, cut: 3, silent: 2, unreachable: 2 })) {
    case 'overloaded':
      return { status: 529, errorType: 'overloaded_error' };
    case 'failing':
      return { status: 500, errorType: 'api_error' };
    case 'cut':
      return { text: 'Let me see what there is to be done.', cutAfterEvents: 1 + dice.below(5) };
    case 'silent':
      return { text: 'Hm.', silentMs: 120_000 };
    case 'unreachable':
      return { status: 0 };
  }
}
