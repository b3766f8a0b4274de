import { type JobStack, startJobStack } from '../../support/job-stack.ts';
import { edit, EDITOR, finish } from '../../support/replies.ts';
import { allBlocks, type Dialect, OLLAMA_BLOCKS, VLLM_BLOCKS } from './endpoint.ts';

const WINDOW = 30_000;
const VIEWS = 20;
const LINE = 'The quick brown fox jumps over the lazy dog, and the dog does not mind at all.\n';

/** Twenty pages of some 2,000 tokens each: together more than the window holds. */
const FILES = Object.fromEntries(
  Array.from({ length: VIEWS }, (_, n) => [
    `docs/page-${n}.md`,
    `---\ntitle: Page ${n}\n---\n\n# Page ${n}\n\nThe first line.\n\n${LINE.repeat(80)}`,
  ]),
);
const VIEW = (n: number) => ({
  toolUses: [{ name: EDITOR, input: { command: 'view', path: `docs/page-${n}.md` } }],
});

/** What each knows. */
const KNOWN_BLOCKS: Record<Dialect, readonly string[]> = {
  vendor: [...VLLM_BLOCKS, 'search_result', 'document'],
  vllm: VLLM_BLOCKS,
  ollama: OLLAMA_BLOCKS,
};

describe.each<Dialect>(['vendor', 'vllm', 'ollama'])(
  'a job of 20 steps in a small window, on an endpoint that treats unknown blocks as %s does',
  dialect => {
    let stack: JobStack;
    let calls = 0;
    /** Types of blocks that came and were dropped without a word. */
    const dropped: string[] = [];
    beforeAll(async () => {
      stack = await startJobStack({
        files: FILES,
        env: {
          MODEL_FEATURES: dialect === 'vendor' ? 'all' : 'none',
          MODEL_CONTEXT_TOKENS: String(WINDOW),
        },
        script: request => {
          const strange = allBlocks(request).find(
            ({ type }) => !KNOWN_BLOCKS[dialect].includes(type),
          );
          if (strange && dialect === 'ollama') dropped.push(strange.type);
          else if (strange) return { status: 400, message: `no such block: ${strange.type}` };
          // Four bytes a token, as these servers count English.
          const tokens = JSON.stringify(request).length / 4 + request.max_tokens;
          if (tokens > WINDOW)
            return { status: 400, message: `prompt is too long: ${tokens} tokens > ${WINDOW}` };
          const n = calls++;
          if (n < VIEWS) return VIEW(n);
          return n === VIEWS
            ? edit('The first line.', 'A line.', 'docs/page-3.md')
            : finish('Say it');
        },
      });
    }, 120_000);
    afterAll(() => stack?.close());

    it('reads more than fits, and opens its pull request', async () => {
      const { id } = await stack.create('Read every page, then change the third');
      const job = await stack.rest(id);
      expect(job).toMatchObject({ status: 'completed', prLink: expect.stringContaining('/') });
      const bodies = stack.model.requests.map(({ body }) => body);
      expect(bodies).toHaveLength(VIEWS + 2);
      expect(dropped).toEqual([]);
      for (const body of bodies) {
        expect(body).not.toHaveProperty('context_management');
        expect(body.max_tokens).toBe(WINDOW / 4);
      }
      const last = JSON.stringify(bodies.at(-1));
      expect(last).toContain('Dropped, to make room');
      expect(last).toContain('Read every page');
      expect(last.match(/quick brown fox/g)!.length).toBeLessThan(VIEWS * 80);
    });

    it('keeps the beginning of its requests but where it drops, which is rare', () => {
      const breaks = stack.model.prefixBreaks();
      expect(breaks.length).toBeGreaterThan(0);
      expect(breaks.length).toBeLessThanOrEqual(5);
    });
  },
);
