import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { withMatchThread } from '../../../../agent/tools/matching/match-pool.ts';
import { SharedTexts, shareTexts } from '../../../../agent/tools/matching/shared-texts.ts';
import type { ToolContext } from '../../../../agent/tools/tool.ts';
import { openWorkspace } from '../../../../agent/workspace.ts';
import type { Snapshot } from '../../../../shared/workspace.ts';
import { dice } from '../../../jobs/random/dice.ts';
import { memorySnapshot } from '../../../support/memory-snapshot.ts';
import { call, toolContext } from '../context.ts';

/** Each run has texts of its own, which no cache knows. */
const RUN = `run ${process.hrtime.bigint()}`;
/** Wherever an `a` was is a state of its own, and RE2JS follows 450 of them at once. */
const HOSTILE = 'a[ab]{900}c';
const luck = dice(1);
const HOSTILE_TEXT = Array.from({ length: 1_000_000 }, () => 'ab'.charAt(luck.below(2))).join('');

function contextOf(snapshot: Snapshot, signal = new AbortController().signal): ToolContext {
  return { ...toolContext({}), workspace: openWorkspace(snapshot, new Map()), signal };
}

/** Counts what is read. */
function counted(snapshot: Snapshot): { snapshot: Snapshot; reads: string[] } {
  const reads: string[] = [];
  const read = (path: string) => {
    reads.push(path);
    return snapshot.read(path);
  };
  return { snapshot: { ...snapshot, read }, reads };
}

const contentOf = async (
  context: ToolContext,
  input: Record<string, unknown>,
  name = 'search_text',
) => (await call(context, name, input)).content;

describe('texts of unchanged files', () => {
  it('are read once, and edited ones as they are now', async () => {
    const files = {
      'docs/a.md': `one ${RUN}\n`,
      'docs/b.md': `two ${RUN}\n`,
      'docs/logo.png': Buffer.from(`one\0${RUN}`),
      'docs/large.md': `one ${RUN} `.repeat(80_000),
    };
    const { snapshot, reads } = counted(memorySnapshot(files));
    expect(await contentOf(contextOf(snapshot), { pattern: 'one' })).toBe(
      `1 line in 1 file:\ndocs/a.md:1: one ${RUN}`,
    );
    expect(reads.toSorted()).toEqual(['docs/a.md', 'docs/b.md', 'docs/logo.png']);
    reads.length = 0;

    const edited = contextOf(snapshot);
    edited.workspace.write('docs/b.md', 'no longer');
    edited.workspace.write('docs/c.md', 'one more');
    edited.workspace.remove('docs/a.md');
    expect(await contentOf(edited, { pattern: 'one|two' })).toBe(
      '1 line in 1 file:\ndocs/c.md:1: one more',
    );
    const replaced = await contentOf(edited, { find: 'longer', replace: 'short' }, 'replace_all');
    expect(replaced).toContain('docs/b.md: 1 (line 1)');
    expect(await contentOf(contextOf(snapshot), { pattern: 'one|two' })).toContain('2 lines in 2');
    expect(reads).toEqual([]);
  });

  it('are read by the thread where they are on disk, and fetched where they are gone', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'docent-search-'));
    const memory = memorySnapshot({ 'docs/a.md': `here ${RUN}`, 'docs/b.md': `gone ${RUN}` });
    await writeFile(join(folder, 'a'), `here ${RUN}`);
    const { snapshot, reads } = counted(memory);
    const fileOf = (path: string) => join(folder, path === 'docs/a.md' ? 'a' : 'none');
    expect(await contentOf(contextOf({ ...snapshot, fileOf }), { pattern: RUN })).toBe(
      `2 lines in 2 files:\ndocs/a.md:1: here ${RUN}\ndocs/b.md:1: gone ${RUN}`,
    );
    expect(reads).toEqual(['docs/b.md']);
    await rm(folder, { recursive: true });
  });

  it('that cannot be read fail the activity, not the glob', async () => {
    const snapshot = memorySnapshot({ 'docs/a.md': `unread ${RUN}` });
    const read = async () => Promise.reject(new Error('the repository is unreachable'));
    const context = contextOf({ ...snapshot, read });
    await expect(call(context, 'search_text', { pattern: 'x' })).rejects.toThrow('unreachable');
    const replace = { find: 'x', replace: 'y', glob: '*.md' };
    await expect(call(context, 'replace_all', replace)).rejects.toThrow('unreachable');
  });

  it('are forgotten beyond a number of bytes, the least recently used first', () => {
    const texts = new SharedTexts(2_000);
    const read = (...names: string[]) => {
      const shared = shareTexts(names.map(name => Buffer.from(name.repeat(800))));
      texts.keep(names.map((name, i) => [name, shared[i] ?? null]));
    };
    read('a');
    read('b');
    expect(texts.find('a')?.length).toBe(800);
    texts.keep([['binary', null]]);
    read('c');
    expect(['a', 'b', 'c'].map(name => texts.find(name)?.length)).toEqual([800, undefined, 800]);
    read('d', 'e', 'f');
    expect(['a', 'c', 'd', 'binary'].map(name => texts.find(name))).toEqual(
      Array(4).fill(undefined),
    );
  });
});

it('batches are searched as one list', async () => {
  // 300 files of 10 KB, three batches, with two lines each.
  const files = Object.fromEntries(
    Array.from({ length: 300 }, (_, i) => [
      `docs/${String(i).padStart(3, '0')}.md`,
      `needle ${i}\n${`${RUN}\n`.repeat(300)}last needle ${i}\n`,
    ]),
  );
  const context = toolContext(files);
  for (const [skip, max_results] of [
    [0, 3],
    [199, 4],
    [330, 500],
    [598, 9],
  ] as const) {
    const lines = (await contentOf(context, { pattern: 'needle', skip, max_results })).split('\n');
    const expected = Object.keys(files)
      .flatMap((path, i) => [`${path}:1: needle ${i}`, `${path}:302: last needle ${i}`])
      .slice(skip, skip + max_results);
    expect(lines[0]).toBe('600 lines in 300 files:');
    expect(lines.slice(1, 1 + expected.length)).toEqual(expected);
    expect(lines).toHaveLength(1 + expected.length + (skip + max_results < 600 ? 1 : 0));
  }
  const replaced = await contentOf(
    context,
    { find: 'needle (\\d+)$', replace: 'pin $1', regex: true },
    'replace_all',
  );
  expect(replaced).toContain('Replaced 600 occurrences in 300 files');
  expect(await context.workspace.readText('docs/299.md')).toMatch(
    /^pin 299\n[^]*\nlast pin 299\n$/,
  );
});

describe('a pattern that takes long', () => {
  const question = {
    kind: 'lines',
    pattern: { source: HOSTILE, ignoreCase: true },
    texts: shareTexts([Buffer.from(HOSTILE_TEXT)]).filter(text => text !== null),
    shown: { from: 0, to: 1, around: 0 },
  } as const;
  const signal = new AbortController().signal;

  it('is ended, and the event loop is free meanwhile', async () => {
    const state = { isDone: false };
    const answer = withMatchThread(
      signal,
      async ask => {
        await expect(ask({ ...question, texts: [...question.texts] })).rejects.toThrow('too long');
        return await ask({ ...question, texts: [] });
      },
      1_500,
    ).finally(() => {
      state.isDone = true;
    });
    answer.catch(() => undefined);
    let longest = 0;
    for (let last = performance.now(); !state.isDone;) {
      await turn();
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
    }
    await expect(answer).rejects.toThrow('The pattern takes too long on these files.');
    expect(longest).toBeLessThan(500);
    const next = await withMatchThread(signal, ask => ask({ ...question, texts: [] }));
    expect(next).toEqual({ lines: 0, texts: 0, shown: [] });
  }, 30_000);

  it('is ended by an abort, and so are calls that wait for a thread', async () => {
    const abort = new AbortController();
    const snapshot = memorySnapshot({ 'docs/a.md': HOSTILE_TEXT });
    const started = performance.now();
    const calls = Array.from({ length: 7 }, () =>
      call(contextOf(snapshot, abort.signal), 'search_text', { pattern: HOSTILE }),
    );
    const ends = Promise.allSettled(calls);
    await sleep(1_000);
    abort.abort(new Error('the job was cancelled'));
    for (const end of await ends)
      expect(end).toMatchObject({
        status: 'rejected',
        reason: { message: 'the job was cancelled' },
      });
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(await contentOf(toolContext({ 'docs/a.md': 'b' }), { pattern: 'b' })).toContain(
      '1 line',
    );
  }, 30_000);
});

describe('a thread', () => {
  const signal = new AbortController().signal;
  const shown = { from: 0, to: 10, around: 0 };
  const question = (source: string, text: string) => ({
    ...{ kind: 'lines' as const, shown, pattern: { source, ignoreCase: false } },
    texts: shareTexts([Buffer.from(text)]).filter(shared => shared !== null),
  });
  const lines = { lines: 1, texts: 1 };

  it('is not lent again while it works on a question that nobody waits for', async () => {
    for (let i = 0; i < 3; i += 1) {
      const gaveUp = withMatchThread(signal, async ask => {
        void ask(question('a', 'b'.repeat(100_000))).catch(() => undefined);
        throw new Error('gave up');
      });
      await expect(gaveUp).rejects.toThrow('gave up');
    }
    expect(await withMatchThread(signal, ask => ask(question('b', 'b')))).toMatchObject(lines);
  });
});

it('more calls than threads each get their own answer', async () => {
  const words = Array.from({ length: 12 }, (_, i) => `word${i}x`);
  const context = toolContext({ 'docs/a.md': `${words.join('\n')}\n` });
  const found = words.map(pattern => contentOf(context, { pattern }));
  expect(await Promise.all(found)).toEqual(
    words.map((word, i) => `1 line in 1 file:\ndocs/a.md:${i + 1}: ${word}`),
  );
});
