import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { docent, startDocent, temporaryFolder } from '../support/docent.ts';
import { fakeModel } from '../support/fake-model.ts';
import { testDatabase, testTemporal } from '../support/services.ts';

describe('EMBEDDINGS=local', () => {
  let folder: string;
  let dataDir: string;
  beforeEach(async () => {
    folder = await temporaryFolder();
    dataDir = join(folder, 'data');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('stops the start where there is no model, and says how to get it', async () => {
    const { code, stderr } = await docent(dataDir, ['start'], { EMBEDDINGS: 'local' });
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^EMBEDDINGS=local needs vocab.txt in .*"docent embeddings install" puts it there; or set EMBEDDINGS=off.\n$/,
    );
  });

  it('has the worker give every section a vector', async () => {
    await fakeModel(dataDir);
    const database = await testDatabase();
    const running = startDocent(dataDir, ['start'], {
      EMBEDDINGS: 'local',
      PORT: '0',
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: testTemporal().address,
      TASK_QUEUE: `embeddings-${process.pid}`,
    });
    try {
      await running.prints(/Docent is ready/);
      expect(await docent(dataDir, ['index', 'sample'])).toMatchObject({ code: 0 });
      const {
        rows: [counts],
      } = await database.pool.query<{ vectors: number; sections: number }>(
        `select (select count(*) from search_vectors) as vectors, count(*) as sections
         from search_sections s join search_pages p on p.id = s.page_id where p.searchable`,
      );
      expect(counts!.vectors).toBe(counts!.sections);
      expect(counts!.vectors).toBeGreaterThan(10);
    } finally {
      running.process.kill('SIGTERM');
      await running.ended;
      await database.close();
    }
  }, 120_000);
});
