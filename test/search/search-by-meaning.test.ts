import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { buildApi } from '../../api/app.ts';
import { readConfig } from '../../shared/config.ts';
import { createKey } from '../../db/projects/keys.ts';
import { findProject } from '../../db/projects/projects.ts';
import { indexPages } from '../../search/indexing/build-index.ts';
import { openSearch } from '../../search/search-by-meaning.ts';
import { type Embed, openEmbeddings, openLocalModel } from '../../search/embed.ts';
import { wordPiece } from '../../search/wordpiece.ts';
import { fakeModel, VOCABULARY } from '../support/fake-model.ts';
import { memorySnapshot } from '../support/memory-snapshot.ts';
import { type TestDatabase, testDatabase } from '../support/services.ts';
import { page, testSite } from './site.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

/**
 * Stands for the model, which is no part of the project: three meanings, a dimension each, whatever
 * the words.
 */
const MEANINGS = [/remove|delete|erase|discard/i, /account|user|profile/i, /invoice|billing|pay/i];
const embed: Embed = async texts =>
  texts.map(text => {
    const vector = Float32Array.from(MEANINGS, meaning => (meaning.test(text) ? 1 : 0.01));
    const length = Math.hypot(...vector);
    return vector.map(value => value / length);
  });

const FILES = {
  'docs/billing.md': page('Billing', 'Your account account account shows each invoice.'),
  'docs/erase.md': page('Leaving us', 'Erase your profile here. The account is gone at once.'),
  'docs/other.md': page(
    'Other',
    `${'Many words about quite other things. '.repeat(40)} An account.`,
  ),
};

describe('search by meaning', () => {
  it('puts what words find into the order of meaning', async () => {
    const site = await testSite(database.pool);
    await site.index(FILES);
    const question = { projectId: site.id, query: 'how can I delete my account', pageSize: 3 };
    const byWords = await openSearch(database.pool)(question);
    expect(byWords.map(result => result.path)).toEqual(['/billing', '/erase', '/other']);
    // No vectors yet: the order of words.
    expect((await openSearch(database.pool, embed)(question)).map(result => result.path)).toEqual([
      '/billing',
      '/erase',
      '/other',
    ]);

    const source = { snapshot: memorySnapshot(FILES), docsFolder: 'docs' };
    expect(await indexPages(database.pool, site.id, source, { embed })).toMatchObject({
      pages: 3,
      built: 3,
    });
    expect(await indexPages(database.pool, site.id, source, { embed })).toMatchObject({ built: 0 });
    const byMeaning = await openSearch(database.pool, embed)(question);
    expect(byMeaning.map(result => result.path)).toEqual(['/erase', '/billing', '/other']);
    expect(byMeaning[0]?.sections[0]?.text).toContain('Erase your profile');
    expect(await openSearch(database.pool, embed)({ ...question, pageSize: 1 })).toHaveLength(1);
    expect(
      await openSearch(
        database.pool,
        embed,
      )({ ...question, query: 'is there a xylophone quartet' }),
    ).toEqual([]);
    // Few words are a name: what they find stays in their order.
    expect(
      (await openSearch(database.pool, embed)({ ...question, query: 'delete my account' })).map(
        result => result.path,
      ),
    ).toEqual(['/billing', '/erase', '/other']);
    expect((await openSearch(database.pool)(question)).map(result => result.path)).toEqual([
      '/billing',
      '/erase',
      '/other',
    ]);
  });

  it('is what the search endpoint does where the API has a model', async () => {
    const site = await testSite(database.pool);
    await indexPages(
      database.pool,
      site.id,
      { snapshot: memorySnapshot(FILES), docsFolder: 'docs' },
      { embed },
    );
    const { organizationId, domain } = (await findProject(database.pool, site.id))!;
    const { token } = await createKey(database.pool, {
      organizationId,
      projectId: site.id,
      kind: 'assistant',
      name: 'test',
    });
    const found = async (deps: { embed?: Embed }) => {
      const temporal = new Client({ connection: Connection.lazy({ address: '127.0.0.1:1' }) });
      const app = await buildApi({
        config: readConfig({ DATABASE_URL: database.url }),
        pool: database.pool,
        temporal,
        ...deps,
      });
      try {
        const answer = await app.inject({
          method: 'POST',
          url: `/discovery/v1/search/${domain}`,
          headers: { authorization: `Bearer ${token}` },
          payload: { query: 'how can I delete my account' },
        });
        return answer.json<{ path: string }[]>().map(result => result.path);
      } finally {
        await app.close();
      }
    };
    expect(await found({})).toEqual(['/billing', '/erase', '/other']);
    expect(await found({ embed })).toEqual(['/erase', '/billing', '/other']);
  });
});

describe('the local model', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'docent-model-'));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  it('gives a text the mean of its tokens, at length 1', async () => {
    const folder = await fakeModel(dataDir);
    const open = await openEmbeddings({ EMBEDDINGS: 'local', DATA_DIR: dataDir });
    // [CLS] max ( [SEP]: the fake gives each token its id, and 3.
    const [first, second] = await open!(['max (', '']);
    const sum = [2 + 7 + 8 + 3, 3 * 4];
    expect([...first!]).toEqual(
      sum.map(value => expect.closeTo(value / Math.hypot(...sum), 5) as unknown),
    );
    expect([...second!]).toEqual(
      [5, 6].map(value => expect.closeTo(value / Math.hypot(5, 6), 5) as unknown),
    );

    await rm(join(folder, 'model.onnx'));
    await expect(openLocalModel(folder)).rejects.toThrow(
      /needs model.onnx in .*"docent embeddings install"/,
    );
  });

  it('needs what runs it', async () => {
    const folder = await fakeModel(dataDir);
    await rm(join(folder, 'node_modules'), { recursive: true });
    await expect(openLocalModel(folder)).rejects.toThrow(
      /needs onnxruntime-node in .*"docent embeddings install"/,
    );
  });

  it('is not looked for where embeddings are off, and missed where they are on', async () => {
    expect(await openEmbeddings({ EMBEDDINGS: 'off', DATA_DIR: dataDir })).toBeUndefined();
    await expect(openEmbeddings({ EMBEDDINGS: 'local', DATA_DIR: dataDir })).rejects.toThrow(
      /EMBEDDINGS=local needs vocab.txt in .*"docent embeddings install"/,
    );
  });
});

describe('WordPiece', () => {
  const names = (text: string, limit = 20) =>
    wordPiece(VOCABULARY.join('\n'))
      .encode(text, limit)
      .map(id => VOCABULARY[id]);

  it('takes the longest pieces, splits punctuation and Chinese, drops accents', () => {
    expect(names('Unaffable (max)')).toEqual([
      '[CLS]',
      'un',
      '##aff',
      '##able',
      '(',
      'max',
      ')',
      '[SEP]',
    ]);
    expect(names('入max Über zebra')).toEqual(['[CLS]', '入', 'max', 'uber', '[UNK]', '[SEP]']);
  });

  it('keeps to the limit, and refuses another vocabulary', () => {
    expect(names('max max max max max', 4)).toEqual(['[CLS]', 'max', 'max', '[SEP]']);
    expect(() => wordPiece('<s>\n</s>')).toThrow(/\[CLS\]/);
  });

  it('does not read on and on where words give hardly a token', () => {
    const unknown = `${'z'.repeat(99)} `;
    expect(names(`${unknown.repeat(2)}max`, 20)).toContain('max');
    expect(names(`${unknown.repeat(10)}max`, 20)).not.toContain('max');
  });
});
