import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { edit, EDITOR, finish } from '../support/replies.ts';
import { allBlocks, VLLM_BLOCKS } from './endpoint.ts';

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

describe('a job on an endpoint with a small window that drops nothing itself', () => {
  let stack: JobStack;
  let calls = 0;
  beforeAll(async () => {
    stack = await startJobStack({
      files: FILES,
      env: { MODEL_FEATURES: 'none', MODEL_CONTEXT_TOKENS: String(WINDOW) },
      script: request => {
        // vLLM refuses other blocks; Ollama and llama.cpp, which drop them, have none to drop.
        const strange = allBlocks(request).find(block => !VLLM_BLOCKS.includes(block.type));
        if (strange) return { status: 400, message: `no such block: ${strange.type}` };
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
});
