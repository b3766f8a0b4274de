import { modelRequest, toMessages } from '../../agent/model/request.ts';
import { ALL_FEATURES } from '../../shared/models/feature-names.ts';
import type { Block, TranscriptEntry } from '../../db/jobs/transcript.ts';

const text = (words: string): Block => ({ type: 'text', text: words });
const use = (id: string): Block => ({ type: 'tool_use', id, name: 'check', input: {} });
const result = (id: string): Block => ({ type: 'tool_result', tool_use_id: id, content: 'fine' });

const OPTIONS = {
  model: 'm',
  maxTokens: 10,
  contextTokens: 200_000,
  features: ALL_FEATURES,
  hasNativeEditor: true,
};

describe('messages of a transcript', () => {
  it('joins neighbours of one role, results before text', () => {
    const messages = toMessages(
      entries(
        ['user', text('do it')],
        ['assistant', use('a'), use('b')],
        ['tool_results', result('a')],
        ['tool_results', result('b')],
        ['user', text('and this')],
      ),
    );
    expect(messages).toEqual([
      { role: 'user', content: [text('do it\n\n')] },
      { role: 'assistant', content: [use('a'), use('b')] },
      { role: 'user', content: [result('a'), result('b'), text('and this\n\n')] },
    ]);
  });

  it('answers every tool use of a turn that was cut, in the message that follows it', () => {
    const messages = toMessages(
      entries(
        ['user', text('do it')],
        ['assistant', use('a'), use('b')],
        ['tool_results', result('a')],
        ['user', text('go on')],
      ),
    );
    expect(messages[2]?.content.map(block => block.type)).toEqual([
      'tool_result',
      'tool_result',
      'text',
    ]);
    expect(messages[2]?.content[1]).toMatchObject({ tool_use_id: 'b', is_error: true });
  });

  it('leaves out what is empty', () => {
    expect(
      toMessages(entries(['user', text('do it')], ['assistant'], ['user', text('well?')])),
    ).toEqual([{ role: 'user', content: [text('do it\n\n'), text('well?\n\n')] }]);
  });

  it('leaves out what another model thought, and keeps what it did', () => {
    const thought: Block = { type: 'thinking', thinking: 'Hm.', signature: 's' };
    const all = entries(['user', text('do it')], ['assistant', thought, text('done')]);
    const ofModel = (model: string) =>
      all.map(entry => (entry.kind === 'assistant' ? { ...entry, meta: { model } } : entry));
    const contentOf = (model: string) => modelRequest(ofModel(model), OPTIONS).messages[1]?.content;
    expect(contentOf('m')).toMatchObject([{ type: 'thinking' }, { type: 'text' }]);
    expect(contentOf('other')).toMatchObject([{ type: 'text', text: 'done' }]);
  });

  it('keeps the texts of people apart on servers that join the blocks of a message', () => {
    const all = entries(
      ['user', text('Cancel is 100.'), text('orientation\n')],
      ['user', text('How do I cancel a job?')],
      ['assistant', use('a'), text('Hm.')],
      ['tool_results', result('a'), text('note')],
      ['user', text('Stop.')],
    );
    const joined = modelRequest(all, OPTIONS).messages.map(({ content }) =>
      (content as { text?: string }[]).map(block => block.text ?? '').join(''),
    );
    expect(joined).toEqual([
      'Cancel is 100.\n\norientation\n\nHow do I cancel a job?\n\n',
      'Hm.',
      'note\n\nStop.\n\n',
    ]);
  });

  it('changes no byte of what was sent before', () => {
    const all = entries(
      ['user', text('do it')],
      ['assistant', use('a')],
      ['tool_results', result('a')],
      ['assistant', use('b')],
      ['tool_results', result('b')],
    );
    const before = strip(modelRequest(all.slice(0, 3), OPTIONS));
    const after = strip(modelRequest(all, OPTIONS));
    expect(after.startsWith(before)).toBe(true);
  });
});

/** System, tools and messages as text, without the marks that say where a cache ends. */
function strip(request: ReturnType<typeof modelRequest>): string {
  const bare = JSON.stringify(
    { system: request.system, tools: request.tools, messages: request.messages },
    (key, value: unknown) => (key === 'cache_control' ? undefined : value),
  );
  return bare.slice(0, bare.lastIndexOf(']'));
}

function entries(...rows: [TranscriptEntry['kind'], ...Block[]][]): TranscriptEntry[] {
  return rows.map(([kind, ...content], i) => ({
    id: `ent_${i}`,
    parent_id: null,
    depth: i,
    kind,
    turn: 1,
    step: i,
    content,
    meta: i === 0 ? { system: 'rules' } : {},
  }));
}
