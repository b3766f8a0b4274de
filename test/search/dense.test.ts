import { indexPages } from '../../shared/search/build.ts';
import { openSearch } from '../../shared/search/dense.ts';
import { type Embed, openLocalModel } from '../../shared/search/embed.ts';
import { wordPiece } from '../../shared/search/wordpiece.ts';
import { memorySnapshot } from '../support/memory-snapshot.ts';
import { type TestDatabase, testDatabase } from '../support/services.ts';
import { page, testSite } from './site.ts';

let database: TestDatabase;
beforeAll(async () => { database = await testDatabase(); });
afterAll(() => database.close());

/** Stands for the model, which is no part of the project: three meanings, a dimension each, whatever the words. */
const MEANINGS = [/remove|delete|erase|discard/i, /account|user|profile/i, /invoice|billing|pay/i];
const embed: Embed = async (texts) => texts.map((text) => {
  const vector = Float32Array.from(MEANINGS, (meaning) => (meaning.test(text) ? 1 : 0.01));
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
});

const FILES = {
  'docs/billing.md': page('Billing', 'Your account account account shows each invoice.'),
  'docs/erase.md': page('Leaving us', 'Erase your profile here. The account is gone at once.'),
  'docs/other.md': page('Other', `${'Many words about quite other things. '.repeat(40)} An account.`),
};

describe('search by meaning', () => {
  it('puts what words find into the order of meaning', async () => {
    const site = await testSite(database.pool);
    await site.index(FILES);
    const question = { projectId: site.id, query: 'how can I delete my account', pageSize: 3 };
    const byWords = await openSearch(database.pool)(question);
    expect(byWords.map((result) => result.path)).toEqual(['/billing', '/erase', '/other']);
    // No vectors yet: the order of words.
    expect((await openSearch(database.pool, embed)(question)).map((result) => result.path)).toEqual(['/billing', '/erase', '/other']);

    const source = { snapshot: memorySnapshot(FILES), docsFolder: 'docs' };
    expect(await indexPages(database.pool, site.id, source, { embed })).toMatchObject({ pages: 3, built: 3 });
    expect(await indexPages(database.pool, site.id, source, { embed })).toMatchObject({ built: 0 });
    const byMeaning = await openSearch(database.pool, embed)(question);
    expect(byMeaning.map((result) => result.path)).toEqual(['/erase', '/billing', '/other']);
    expect(byMeaning[0]?.sections[0]?.text).toContain('Erase your profile');
    expect(await openSearch(database.pool, embed)({ ...question, pageSize: 1 })).toHaveLength(1);
    expect(await openSearch(database.pool, embed)({ ...question, query: 'xylophone' })).toEqual([]);
    expect((await openSearch(database.pool)(question)).map((result) => result.path)).toEqual(['/billing', '/erase', '/other']);
  });

  it('says what is missing where the model is', async () => {
    await expect(openLocalModel('/nowhere')).rejects.toThrow(/EMBEDDINGS=local needs vocab.txt in \/nowhere/);
  });
});

describe('WordPiece', () => {
  const tokens = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'un', '##aff', '##able', 'max', '(', ')', '入', 'uber'];
  const names = (text: string, limit = 20) => wordPiece(tokens.join('\n')).encode(text, limit).map((id) => tokens[id]);

  it('takes the longest pieces, splits punctuation and Chinese, drops accents', () => {
    expect(names('Unaffable (max)')).toEqual(['[CLS]', 'un', '##aff', '##able', '(', 'max', ')', '[SEP]']);
    expect(names('入max Über zebra')).toEqual(['[CLS]', '入', 'max', 'uber', '[UNK]', '[SEP]']);
  });

  it('keeps to the limit, and refuses another vocabulary', () => {
    expect(names('max max max max max', 4)).toEqual(['[CLS]', 'max', 'max', '[SEP]']);
    expect(() => wordPiece('<s>\n</s>')).toThrow(/\[CLS\]/);
  });
});
