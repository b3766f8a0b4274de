import { readConfig } from '../../../shared/config.ts';
import { type JobStack, startJobStack } from '../../support/job-stack.ts';
import { EDITOR, finish } from '../../support/replies.ts';
import type { Script } from '../../support/scripted-model.ts';
import { question, startAssistant, type TestAssistant } from '../../api/assistant/harness.ts';

const PAGES = 12;
const LINE = 'The quick brown fox jumps over the lazy dog, and the dog does not mind at all.\n';
const text = (n: number) =>
  `---\ntitle: Fox ${n}\n---\n\n# Fox ${n}\n\n${Array.from({ length: 400 }, (_, line) => `${n}-${line} ${LINE}`).join('')}`;
const FILES = Object.fromEntries(
  Array.from({ length: PAGES }, (_, n) => [`docs/fox-${n}.md`, text(n)]),
);

/** Refuses what is longer than its window, as servers do; four bytes are a token. */
const inWindow =
  (window: number, play: Exclude<Script, unknown[]>): Script =>
  (request, index) => {
    const tokens = JSON.stringify(request).length / 4 + request.max_tokens;
    return tokens > window
      ? { status: 400, message: `prompt is too long: ${tokens} tokens > ${window}` }
      : play(request, index);
  };
const view = (n: number, from = 1) => ({
  name: EDITOR,
  input: { command: 'view', path: `docs/fox-${n}.md`, view_range: [from, -1] },
});

it('a window of 8,000 tokens is refused at start', () => {
  expect(() => readConfig({ MODEL_CONTEXT_TOKENS: '8000' })).toThrow(/MODEL_CONTEXT_TOKENS.*16000/);
});

describe.each([16_000, 32_000])('a window of %i tokens', window => {
  const env = { MODEL_CONTEXT_TOKENS: String(window), MODEL_FEATURES: 'none' };

  describe('a job', () => {
    let stack: JobStack;
    const seen: string[] = [];
    beforeAll(async () => {
      stack = await startJobStack({
        files: FILES,
        env,
        script: inWindow(window, (request, step) => {
          seen.push(JSON.stringify(request.messages.at(-1)));
          const next = / view_range \[(\d+), -1\]|lines? from (\d+)/.exec(seen.at(-1)!);
          if (step === 0) return { toolUses: [view(0)] };
          if (step === 1) return { toolUses: [view(0, Number(next?.[1] ?? next?.[2] ?? 20))] };
          if (step === 2) return { toolUses: [1, 2, 3, 4, 5].map(n => view(n)) };
          if (step === 3)
            return {
              toolUses: [
                {
                  name: 'view_files',
                  input: { files: [6, 7, 8].map(n => ({ path: `docs/fox-${n}.md` })) },
                },
              ],
            };
          if (step < 20)
            return { toolUses: [{ name: 'search_text', input: { pattern: `fox${step}|dog` } }] };
          return step === 20
            ? {
                toolUses: [
                  {
                    name: EDITOR,
                    input: {
                      command: 'str_replace',
                      path: 'docs/fox-3.md',
                      old_str: '3-0 The quick',
                      new_str: '3-0 The slow',
                    },
                  },
                ],
              }
            : finish('Slow down');
        }),
      });
    }, 120_000);
    afterAll(() => stack.close());

    it('of twenty steps sees the beginning of each result, and how to get the rest', async () => {
      const { id } = await stack.create('Read the pages, then slow the third one down');
      expect(await stack.rest(id)).toMatchObject({
        status: 'completed',
        prLink: expect.any(String),
      });
      expect(seen).toHaveLength(22);
      expect(seen[1]).toContain('0-0 The quick');
      expect(seen[1]).toMatch(/more lines/);
      for (const n of [1, 2, 3, 4, 5]) expect(seen[3]).toContain(`${n}-0 The quick`);
      expect(seen[4]).toContain('6-0 The quick');
      for (const result of seen.slice(1)) expect(result).not.toContain('Dropped, to make room');
    });
  });

  describe('a conversation', () => {
    let assistant: TestAssistant;
    const told: string[] = [];
    beforeAll(async () => {
      assistant = await startAssistant(
        inWindow(window, (request, index) => {
          told.push(JSON.stringify(request.messages));
          const { tool_choice: choice } = request as { tool_choice?: { type: string } };
          const looks = choice?.type !== 'none' && index % 3 < 2;
          return looks
            ? { toolUses: [{ name: 'read_page', input: { path: `/fox-${index % PAGES}` } }] }
            : { text: `It jumps [1]. ${LINE.repeat(60)}` };
        }),
        env,
        FILES,
      );
    });
    afterAll(() => assistant.close());

    it('of eight questions has an answer to each', async () => {
      const messages: object[] = [];
      for (let n = 0; n < 8; n++) {
        messages.push(question(`What does the quick brown fox do on page ${n}?`, `u${n}`));
        const answer = await assistant.ask({ messages });
        expect(answer.text).toContain('It jumps');
        expect(answer.sources.length).toBeGreaterThan(0);
        const parts = [{ type: 'text', text: answer.text }];
        messages.push({ id: `a${n}`, role: 'assistant', parts });
      }
      expect(told.at(-1)).toContain('on page 7');
    });
  });
});
