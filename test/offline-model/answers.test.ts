import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import { type Citable, citable } from '../../api/assistant/answer/citations.ts';
import { TOOLS } from '../../api/assistant/answer/tools.ts';
import { conversationPrompt, assistantPrompt } from '../../api/assistant/model/prompt.ts';
import { answerWindow } from '../../api/assistant/model/window.ts';
import { type OfflineModel, startOfflineModel } from '../../offline-model/server.ts';
import { OFFLINE_MODEL } from '../../shared/agent-text.ts';
import { indexPages } from '../../search/indexing/build-index.ts';
import { search } from '../../search/search-by-words.ts';
import { memorySnapshot } from '../support/memory-snapshot.ts';
import { type TestDatabase, testDatabase } from '../support/services.ts';
import { ANSWERED, UNANSWERED } from './questions.ts';

const DOCS = join(import.meta.dirname, '../../docs');
const PROJECT = 'prj_answers';

let database: TestDatabase;
let model: OfflineModel;
let client: Anthropic;

beforeAll(async () => {
  [database, model] = await Promise.all([testDatabase(), startOfflineModel()]);
  client = new Anthropic({ apiKey: 'offline', baseURL: model.url, maxRetries: 0 });
  await database.pool.query(
    `insert into organizations (id, slug, name) values ('org_answers', 'answers', 'Answers')`,
  );
  await database.pool.query(
    `insert into projects (id, organization_id, domain, name, host, repository, repository_url, base_ref, docs_folder) values ($1, 'org_answers', 'answers', 'Answers', 'local', 'answers', 'http://localhost/answers', 'main', 'docs')`,
    [PROJECT],
  );
  const files: Record<string, string> = {};
  for (const entry of await readdir(DOCS, { recursive: true, withFileTypes: true })) {
    if (entry.isFile())
      files[join('docs', relative(DOCS, join(entry.parentPath, entry.name)))] = await readFile(
        join(entry.parentPath, entry.name),
        'utf8',
      );
  }
  await indexPages(database.pool, PROJECT, { snapshot: memorySnapshot(files), docsFolder: 'docs' });
});

afterAll(() => Promise.all([database.close(), model.close()]));

async function ask(...questions: string[]): Promise<Anthropic.TextBlock[]> {
  const found = await search(database.pool, {
    projectId: PROJECT,
    query: questions.join(' '),
    pageSize: 5,
  });
  return answerFrom(found.map(citable), questions);
}

async function answerFrom(pages: Citable[], questions: string[]): Promise<Anthropic.TextBlock[]> {
  const thread = questions.flatMap((text, index) => [
    ...(index > 0 ? [{ id: null, role: 'assistant' as const, text: 'So it is.' }] : []),
    { id: null, role: 'user' as const, text },
  ]);
  const answer = await client.messages
    .stream({
      model: OFFLINE_MODEL,
      max_tokens: 1000,
      system: assistantPrompt({ instructions: null, unreadPages: null }, 'search-results'),
      tools: TOOLS,
      messages: conversationPrompt(
        thread,
        { pages, firstNumber: 1 },
        {},
        {
          passages: 'search-results',
          window: answerWindow({ ASSISTANT_MAX_OUTPUT_TOKENS: 1000 }, OFFLINE_MODEL),
        },
      ),
    })
    .finalMessage();
  expect(answer.stop_reason).toBe('end_turn');
  return answer.content.filter(block => block.type === 'text');
}

/**
 * What is quoted for the last question, where a search found one page with these passages, by their
 * headings.
 */
async function quotes(
  passages: Record<string, string>,
  ...questions: string[]
): Promise<Anthropic.TextBlock[]> {
  const page = {
    title: 'Probe',
    source: '/probe',
    path: '/probe',
    passages: Object.entries(passages).map(([heading, text]) => ({ anchor: '', heading, text })),
  };
  return (await answerFrom([page], questions)).filter(block => (block.citations ?? []).length > 0);
}

const cites = (blocks: Anthropic.TextBlock[]) =>
  blocks.some(block => (block.citations ?? []).length > 0);

describe('questions about our own docs', () => {
  it('answers nine in ten of those that the docs answer, and one in ten of the others at most', async () => {
    const refused: string[] = [];
    const invented: string[] = [];
    for (const question of ANSWERED) if (!cites(await ask(question))) refused.push(question);
    for (const question of UNANSWERED) if (cites(await ask(question))) invented.push(question);
    expect({
      refused: refused.length <= ANSWERED.length / 10 ? [] : refused,
      invented: invented.length <= UNANSWERED.length / 10 ? [] : invented,
    }).toEqual({ refused: [], invented: [] });
  });
});

describe('an answer', () => {
  it('quotes the pages, block by block, each with a citation of the passage that it is from', async () => {
    const question = 'How do I cancel a job?';
    const found = (
      await search(database.pool, { projectId: PROJECT, query: question, pageSize: 5 })
    ).map(citable);
    const cited = (await ask(question)).filter(block => (block.citations ?? []).length > 0);
    expect(cited.length).toBeGreaterThan(0);
    for (const { text, citations } of cited) {
      const [citation] = citations ?? [];
      if (citation?.type !== 'search_result_location')
        throw new Error('not a citation of a search result');
      const page = found[citation.search_result_index];
      expect(citation).toMatchObject({
        source: page?.source,
        title: page?.title,
        end_block_index: citation.start_block_index + 1,
      });
      const passage = page?.passages[citation.start_block_index]?.text.replace(/\s+/g, ' ');
      for (const line of citation.cited_text.split(/\n+/)) expect(passage).toContain(line.trim());
      for (const line of text.split(/\n+/)) expect(passage).toContain(line.trim());
    }
  });

  it('quotes the rows of a table that the question is about, each with what its columns mean', async () => {
    const cited = (await ask('What does status code 413 mean?')).filter(
      block => (block.citations ?? []).length > 0,
    );
    const [block] = cited.filter(({ text }) => text.includes('payload-too-large'));
    expect(block?.text).toContain(
      '- 413 – `type` ends in: `payload-too-large`; When: The body is larger than',
    );
    expect(block?.text).not.toContain('| 415 |');
    expect(block?.citations?.[0]?.cited_text).toContain('| 413 | `payload-too-large` |');
    expect(cited.every(({ text }) => text.length < 2_000)).toBe(true);
  });

  it('has the form that the question asks for, or is none', async () => {
    const pages = {
      Doctor: 'The probe doctor looks for `git`.\n\n- Found and usable\n- Missing',
      History: 'The probe was launched with three sensors.',
    };
    expect(await quotes(pages, 'Who founded the probe?')).toEqual([]);
    expect(
      await quotes(
        { ...pages, About: 'Two engineers, a team of friends, founded the probe.' },
        'Who founded the probe?',
      ),
    ).toMatchObject([{ text: 'Two engineers, a team of friends, founded the probe.' }]);
    expect(await quotes(pages, 'When was the probe launched?')).toEqual([]);
    expect(
      await quotes(
        { Launch: 'The probe was launched from the v1 base in May 2019.' },
        'When was the probe launched?',
      ),
    ).toHaveLength(1);
    expect(await quotes(pages, 'How many sensors does the probe have?')).toMatchObject([
      { text: 'The probe was launched with three sensors.' },
    ]);
    expect(
      await quotes(
        { A: 'The probe has sensors on the v2 arm.' },
        'How many sensors does the probe have?',
      ),
    ).toEqual([]);
  });

  it('is about the name that the question names, not about a word that looks like it', async () => {
    const limits = { Limits: 'The probe supports a window of an hour. Windows are fixed.' };
    expect(await quotes(limits, 'Does the probe support Windows?')).toEqual([]);
    const both = await quotes(
      { ...limits, Install: 'It runs on Linux. The probe supports Windows, too.' },
      'Does the probe support Windows?',
    );
    expect(both.map(({ text }) => text)).toContain('The probe supports Windows, too.');
    expect(
      await quotes(
        { Install: 'Windows is supported by the probe.' },
        'Does the probe support Windows?',
      ),
    ).toHaveLength(1);
  });

  it('leaves out what only sends elsewhere, and quotes a sentence that leans on another with it', async () => {
    const [quoted] = await quotes(
      {
        'Prices of calls':
          'The dollars come from `PRICES`. Without it every call costs nothing. The sky is blue. See Cost.',
      },
      'What does a call cost?',
    );
    expect(quoted?.text).toBe(
      'The dollars come from `PRICES`.\n\nWithout it every call costs nothing.',
    );
  });

  it('tells what a thing is rather than showing code that has it', async () => {
    const answer = await quotes(
      {
        'React hook': 'Give `fp` as a function:\n\n```js\nconst body = { fp: "x" };\n```',
        Request: '| Member | Meaning |\n|---|---|\n| `fp` | Who asks |\n| `page` | Where |',
      },
      'what is fp',
    );
    expect(answer.map(({ text }) => text)).toEqual(['- `fp` – Who asks']);
  });

  it('does not answer a question that leans on the one before with what answered that', async () => {
    expect(
      await quotes(
        { 'Archive a probe': 'Run `probe archive`. An archived probe takes no instructions.' },
        'How do I archive a probe?',
        'and how do I undo that?',
      ),
    ).toEqual([]);
  });

  it('asks back where a question names nothing', async () => {
    const blocks = await ask('How does it work?');
    expect(cites(blocks)).toBe(false);
    expect(blocks.map(block => block.text).join('')).toContain('Name what it is about');
  });

  it('greets back, and answers a question that begins with a greeting', async () => {
    for (const words of ['Hello there!', 'thanks, that helped'])
      expect((await ask(words))[0]?.text).toContain('Ask me something');
    expect(cites(await ask('Hi, how do I revoke a key?'))).toBe(true);
    expect(cites(await ask('How do I revoke a key?', 'Thank you!'))).toBe(false);
  });

  it('knows what people type short', async () => {
    expect(cites(await ask('Can it open PRs on GitHub?'))).toBe(true);
  });

  it('reads a question that leans on the one before together with it', async () => {
    expect(cites(await ask('How do I create an API key?', 'And how do I revoke it?'))).toBe(true);
    expect(cites(await ask('How do I bake bread?', 'And how do I slice it?'))).toBe(false);
  });

  it('says plainly that the docs do not cover it', async () => {
    const blocks = await ask('How do I bake sourdough bread?');
    expect(blocks.map(block => block.text).join('')).toContain('does not cover');
  });
});
