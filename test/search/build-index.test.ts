import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { SiteReader } from '../../search/site/site-reader.ts';
import { readIndexState } from '../../db/search/index-state.ts';
import { indexPages, replaceIndex } from '../../search/indexing/build-index.ts';
import { withAdvisoryLock } from '../../db/advisory-lock.ts';
import { search } from '../../search/search-by-words.ts';
import { memorySnapshot } from '../support/memory-snapshot.ts';
import { type TestDatabase, testDatabase } from '../support/services.ts';
import { until } from '../support/until.ts';
import { page, testSite } from './site.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

/** Counts as a query sees them: what a fresh index of the same files must agree on. */
async function counts(projectId: string) {
  const { rows: terms } = await database.pool.query(
    `select stem, pages, sections from search_terms
      where project_id = $1 and pages > 0 order by stem`,
    [projectId],
  );
  const {
    rows: [index],
  } = await database.pool.query(
    'select commit, pages, sections from search_indexes where project_id = $1',
    [projectId],
  );
  const {
    rows: [rows],
  } = await database.pool.query(
    `select count(*) as pages, count(*) filter (where not live) as staged
       from search_pages where project_id = $1`,
    [projectId],
  );
  return { terms, index, rows };
}

/** How many wait for an advisory lock. */
async function waiting(): Promise<number> {
  const { rows } = await database.pool.query<{ waiting: number }>(
    `select count(*) as waiting from pg_locks
      where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`,
  );
  return rows[0]!.waiting;
}

function site(count: number, text = 'The quick setup of part'): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `docs/p${i}.md`,
      page(`Page ${i}`, `${text} ${i}.\n\n## Details ${i % 3}\n\nNumber${i} and more words.`),
    ]),
  );
}

describe('an index', () => {
  it('updates the pages that changed, and is then the same as a fresh one', async () => {
    const kept = await testSite(database.pool);
    const before = { ...site(30), 'docs/gone.md': page('Gone', 'Vanishing words only here.') };
    const after = {
      ...site(30),
      'docs/p3.md': page('Changed', 'Entirely different text with kangaroo.'),
      'docs/new.md': page('New', 'Fresh words, quick setup.'),
    };
    expect(await kept.index(before)).toMatchObject({ pages: 31, built: 31 });
    expect(await kept.index(before)).toMatchObject({ pages: 31, built: 0 });
    expect(await kept.index(after)).toMatchObject({ pages: 31, built: 2 });

    const fresh = await testSite(database.pool);
    await fresh.index(after);
    expect(await counts(kept.id)).toEqual(await counts(fresh.id));
    expect((await counts(kept.id)).rows).toEqual({ pages: 31, staged: 0 });
    expect(await kept.paths('vanishing')).toEqual([]);
    expect(await kept.paths('kangaroo')).toEqual(['/p3']);
    const ranking = async (of: typeof kept) =>
      (await of.find('quick setup details words', { pageSize: 20 })).map(({ path, score }) => [
        path,
        score.toFixed(4),
      ]);
    expect(await ranking(kept)).toEqual(await ranking(fresh));
  });

  it('builds a page anew when its place in the navigation says something else', async () => {
    const one = await testSite(database.pool);
    const files = { 'docs/a.md': page('A', 'Words.'), 'docs/b.md': page('B', 'Words.') };
    await one.index(files);
    const navigation = JSON.stringify({
      navigation: { versions: [{ version: 'v9', pages: ['b'] }] },
    });
    expect(await one.index({ ...files, 'docs/docs.json': navigation })).toMatchObject({ built: 1 });
    expect(await one.paths('words', { filter: { version: 'v1' } })).toEqual(['/a']);
  });

  it('keeps groups, title and text of a page that is too much for the parser', async () => {
    const one = await testSite(database.pool);
    const matter = 'groups: [staff]';
    await one.index({
      'docs/marks.md': page('Marks', `Aardvark prose.\n\n${'a <?'.repeat(20_000)}`, matter),
      'docs/levels.md': page(
        'Levels',
        `Buffalo prose.\n\n${'> '.repeat(200)}deep capybara`,
        matter,
      ),
      'docs/all.mdx': page('All', `Dromedary ${'!['.repeat(100_000)}`, matter),
    });
    const filter = { groups: ['staff'] };
    for (const word of ['aardvark', 'buffalo', 'capybara', 'dromedary'])
      expect(await one.paths(word)).toEqual([]);
    expect(
      (await one.find('aardvark', { filter })).map(({ path, title }) => [path, title]),
    ).toEqual([['/marks', 'Marks']]);
    expect(await one.paths('buffalo', { filter })).toEqual(['/levels']);
    expect(await one.paths('capybara', { filter })).toEqual(['/levels']);
    expect(await one.paths('dromedary', { filter })).toEqual(['/all']);
  });

  it('may become empty', async () => {
    const one = await testSite(database.pool);
    await one.index(site(3));
    expect(await one.index({ 'docs/logo.txt': 'x' })).toMatchObject({ pages: 0 });
    expect(await one.paths('quick setup')).toEqual([]);
    expect(await one.index(site(3))).toMatchObject({ pages: 3 });
    expect(await one.paths('quick setup')).toHaveLength(3);
  });

  it('takes one of two files that claim a path', async () => {
    const one = await testSite(database.pool);
    await one.index({
      'docs/a.md': page('Old', 'Walrus one.'),
      'docs/a.mdx': page('Chosen', 'Walrus two.'),
      'docs/a/index.md': page('Folder', 'Walrus three.'),
    });
    expect((await one.find('walrus')).map(result => result.title)).toEqual(['Chosen']);
  });

  it('is never seen halfway', async () => {
    const one = await testSite(database.pool);
    const version = (n: number) => site(60, `Generation g${n} marker of part`);
    await one.index(version(0));
    const writer = { done: false };
    const seen = new Set<string>();
    const reader = (async () => {
      while (!writer.done) {
        const results = await one.find('generation marker', { pageSize: 50 });
        const generations = results.map(
          ({ sections }) => /g\d/.exec(sections.map(section => section.text).join(' '))?.[0],
        );
        seen.add(`${results.length} ${[...new Set(generations)].join('+')}`);
        await delay(10);
      }
    })();
    for (let n = 1; n <= 3; n++) await one.index(version(n));
    writer.done = true;
    await reader;
    expect([...seen].filter(state => !/^50 g\d$/.test(state))).toEqual([]);
    expect(seen.size).toBeGreaterThan(1);
  });

  it('that is cut off stays the old one, and the retry builds only what is missing', async () => {
    const one = await testSite(database.pool);
    await one.index(site(10, 'Old text of part'));
    const snapshot = memorySnapshot(site(100, 'New text of part'));
    const reader = new SiteReader(snapshot, { docsFolder: 'docs' });
    await reader.facts();
    const drafts = await reader.pages();
    let loaded = 0;
    const dying = drafts.map(draft => ({
      ...draft,
      load: async () => {
        loaded += 1;
        if (loaded > 70) throw new Error('killed');
        return draft.load();
      },
    }));
    await expect(replaceIndex(database.pool, one.id, 'c', dying)).rejects.toThrow('killed');
    expect(await one.paths('old text', { pageSize: 50 })).toHaveLength(10);
    expect(await one.paths('new', { pageSize: 50 })).toEqual([]);

    expect(await replaceIndex(database.pool, one.id, 'c', drafts)).toEqual({
      commit: 'c',
      pages: 100,
      built: 50,
    });
    await reader.close();
    expect(await one.paths('new', { pageSize: 50 })).toHaveLength(50);
    expect(await one.paths('old')).toEqual([]);
  });

  it('grows before readers’ eyes if it is the first one, and says how far it is', async () => {
    const one = await testSite(database.pool);
    const seen: [read: number, of: number, found: number, complete: boolean][] = [];
    const index = (files: Record<string, string>) =>
      indexPages(
        database.pool,
        one.id,
        { snapshot: memorySnapshot(files), docsFolder: 'docs' },
        {
          onProgress: async ({ pagesRead, pagesTotal }) => {
            const found = await one.paths('quick setup', { pageSize: 50 });
            const complete = (await readIndexState(database.pool, one.id))?.complete ?? false;
            seen.push([pagesRead, pagesTotal, found.length, complete]);
          },
        },
      );
    await index(site(60));
    expect(seen.map(([read, of]) => [read, of])).toEqual([
      [25, 60],
      [50, 60],
      [60, 60],
    ]);
    expect(seen[0]).toEqual([25, 60, 25, false]);
    expect((await readIndexState(database.pool, one.id))?.complete).toBe(true);
    seen.length = 0;
    await index(site(60, 'A new setup, not so quick, of part'));
    expect(seen.map(([, , found, complete]) => [found, complete])).toEqual([
      [50, true],
      [50, true],
      [50, true],
    ]);
  });

  it('leaves out what .mintignore, hidden folders and snippets keep from readers', async () => {
    const one = await testSite(database.pool);
    await one.index({
      'docs/docs.json': JSON.stringify({ navigation: { pages: ['a'] } }),
      'docs/.mintignore': 'drafts/\n',
      'docs/a.md': page('A', 'Pelican.'),
      'docs/drafts/b.md': page('B', 'Pelican.'),
      'docs/.hidden/c.md': page('C', 'Pelican.'),
      'docs/snippets/d.md': page('D', 'Pelican.'),
    });
    expect(await one.paths('pelican')).toEqual(['/a']);
  });

  it('stops when it is told to', async () => {
    const one = await testSite(database.pool);
    await expect(one.index(site(5), { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
    expect(await one.paths('setup')).toEqual([]);
  });

  it('survives two indexers at once', async () => {
    const one = await testSite(database.pool);
    const files = site(80);
    const outcomes = await Promise.allSettled([
      one.index(files),
      one.index(files),
      one.index(files),
    ]);
    expect(outcomes.map(outcome => outcome.status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
    ]);
    const fresh = await testSite(database.pool);
    await fresh.index(files);
    expect(await counts(one.id)).toEqual(await counts(fresh.id));
  });

  it('leaves what another indexer stages while a part is opened to readers', async () => {
    const one = await testSite(database.pool);
    const reader = new SiteReader(memorySnapshot(site(100)), { docsFolder: 'docs' });
    await reader.facts();
    const drafts = await reader.pages();
    const gate = new EventEmitter();
    const opened = once(gate, 'open');
    const held = drafts.map((draft, i) => ({
      ...draft,
      load: async () => {
        if (i >= 50) await opened;
        return draft.load();
      },
    }));
    let pagesStaged = 0;
    const first = replaceIndex(database.pool, one.id, 'c', held, {
      onProgress: async ({ pagesRead }) => void (pagesStaged = pagesRead),
    });
    await until('the first has staged a half', async () => pagesStaged === 50);
    const holder = await database.pool.connect();
    await holder.query('begin');
    await holder.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `search index of ${one.id}`,
    ]);
    const second = replaceIndex(database.pool, one.id, 'c', drafts);
    await until('the second waits to open its first part', async () => (await waiting()) === 1);
    gate.emit('open');
    await until('the first waits to end', async () => (await waiting()) === 2);
    await holder.query('commit');
    holder.release();
    expect(await Promise.allSettled([first, second])).toMatchObject([
      { status: 'fulfilled' },
      { status: 'fulfilled' },
    ]);
    await reader.close();
    expect(await counts(one.id)).toMatchObject({ rows: { pages: 100, staged: 0 } });
  });

  it('takes text that Postgres would not', async () => {
    const one = await testSite(database.pool);
    await one.index({
      'docs/a.md':
        `# Odd\n\n` +
        `Null \0 byte, quote ' backslash \\ "double" {brace} \ud800 and rhinoceros.\n`,
    });
    expect(await one.paths('rhinoceros')).toEqual(['/a']);
    const long = 'rhinoceros café 犀牛 '.repeat(2_000);
    const groups = JSON.stringify(
      Array.from({ length: 500 }, (_, i) => `group ${i} ${long.slice(0, 200)}`),
    );
    await one.index({
      'docs/a.md':
        `# Odd\n\n` +
        `Null \0 byte, quote ' backslash \\ "double" {brace} \ud800 and rhinoceros.\n`,
      'docs/b.md':
        `---\ntitle: ${long}\nversion: ${long}\ndescription: ${long}\n---\n# ${long}\n\n` +
        `## ${long}\n\n${long}\n`,
      'docs/c.md': `---\ngroups: ${groups}\n---\nrhinoceros`,
      [`docs/${'犀牛'.repeat(800)}.md`]: 'rhinoceros',
    });
    expect((await one.paths('rhinoceros')).sort()).toEqual(['/a', '/b']);
    expect(
      (await search(database.pool, { projectId: one.id, query: 'odd', pageSize: 1 }))[0]
        ?.sections[0]?.text,
    ).toContain(`quote ' backslash \\ "double"`);
  });
});

describe('the lock', () => {
  it('lets one indexer of a project in at a time', async () => {
    let release = () => undefined as void;
    const held = new Promise<void>(resolve => {
      release = resolve;
    });
    const first = withAdvisoryLock(database.pool, 'prj_a', async () => {
      await held;
      return 'first';
    });
    await new Promise(resolve => setTimeout(resolve, 100));
    expect(await withAdvisoryLock(database.pool, 'prj_a', async () => 'second')).toBeUndefined();
    expect(await withAdvisoryLock(database.pool, 'prj_b', async () => 'other')).toBe('other');
    release();
    expect(await first).toBe('first');
    expect(await withAdvisoryLock(database.pool, 'prj_a', async () => 'third')).toBe('third');
    await expect(
      withAdvisoryLock(database.pool, 'prj_a', async () => {
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await withAdvisoryLock(database.pool, 'prj_a', async () => 'fourth')).toBe('fourth');
  });
});
