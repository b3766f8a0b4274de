import type { MessagesRequest } from '../../offline-model/protocol/messages-protocol.ts';
import { type ScriptedAnswer, startScriptedModel } from '../../test/support/scripted-model.ts';
import { type BenchSite, endEdit, movedPath, pageAt } from './site.ts';

/** Of a model call: a real one takes seconds, in which nothing would be measured. */
const DELAY_MS = 50;
const EDITOR = 'str_replace_based_edit_tool';

interface Step {
  name: string;
  input: object;
}

export interface WorkingModel {
  url: string;
  /** From the model's answer to its next call, by tool, in milliseconds. */
  toolMs: Map<string, number[]>;
  /** What tools answered with an error. */
  errors: string[];
  close(): Promise<void>;
}

/**
 * Plays a job that does on a site what is heavy, for a prompt that ends with a number: another
 * number edits and moves other pages. To the assistant's calls it says one sentence.
 */
export async function startWorkingModel(site: BenchSite): Promise<WorkingModel> {
  const toolMs = new Map<string, number[]>();
  const errors: string[] = [];
  const answered = new Map<string, number>();
  const server = await startScriptedModel(({ messages, tools }) => {
    if (!tools?.some(tool => 'name' in tool && tool.name === 'finish'))
      return { text: 'The docs explain it on that page.', delayMs: DELAY_MS };
    const now = performance.now();
    const [, job = '0'] = /number (\d+)\./.exec(JSON.stringify(messages)) ?? [];
    const steps = stepsOf(site, Number(job));
    const at = messages.filter(({ role }) => role === 'assistant').length;
    const before = steps[at - 1];
    if (before) {
      const times = toolMs.get(before.name) ?? [];
      toolMs.set(before.name, [...times, now - (answered.get(job) ?? now)]);
    }
    errors.push(...errorsOf(messages));
    answered.set(job, now + DELAY_MS);
    server.requests.length = 0;
    return reply(steps[at]);
  });
  return { url: server.url, toolMs, errors, close: server.close };
}

function reply(step: Step | undefined): ScriptedAnswer {
  return step ? { toolUses: [step], delayMs: DELAY_MS } : { text: 'Done.', delayMs: DELAY_MS };
}

function stepsOf(site: BenchSite, job: number): Step[] {
  const [first, second] = [pageAt(site, 0.1, 2 * job), pageAt(site, 0.3, 2 * job)];
  const from = pageAt(site, 0.5, 2 * job);
  const edits = endEdit(site, first);
  return [
    { name: 'search_text', input: { pattern: site.pattern } },
    { name: EDITOR, input: edits.add },
    { name: 'check', input: {} },
    { name: EDITOR, input: edits.repair },
    { name: 'search_text', input: { pattern: 'the \\w+ of (a|the)', max_results: 20 } },
    { name: 'move_page', input: { from, to: movedPath(from) } },
    { name: 'move_page', input: { from: second, to: movedPath(second) } },
    { name: 'check', input: {} },
    { name: 'finish', input: { title: 'Move pages', body: 'Moved.', message: 'Moved.' } },
  ];
}

/** Of the results that the last message holds. */
function errorsOf(messages: MessagesRequest['messages']): string[] {
  const content = messages.at(-1)?.content;
  if (!Array.isArray(content)) return [];
  return content.flatMap(block =>
    block.type === 'tool_result' && block.is_error ? [JSON.stringify(block.content)] : [],
  );
}
