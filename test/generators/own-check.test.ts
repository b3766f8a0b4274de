import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChangeJob, siteIn } from './change-job.ts';
import { MOVED, NEW, REMOVED } from './change-script.ts';
import { fixtureFolder, OWN_CHECK } from './fixture-sites.ts';

/** docs.json has no strict builder that is free, and a plain folder has none: our check is all. */
describe.each(Object.entries(OWN_CHECK))('the fixture site of %s', (kind, fixture) => {
  it('is whole after a move, a deletion and a new page', async () => {
    expect(siteIn(fixtureFolder(kind)).errors).toEqual([]);
    const folder = mkdtempSync(join(tmpdir(), 'docent-fixture-'));
    try {
      await runChangeJob(fixtureFolder(kind), fixture, folder);
      const { site, errors } = siteIn(folder);
      expect(errors).toEqual([]);
      const file = (page: string) => `${fixture.docsFolder}/${page}${fixture.ending}`;
      const order = site.navigation.map(item => item.file);
      expect(order[order.indexOf(file(NEW.after)) + 1]).toBe(file(NEW.path));
      expect(order).toContain(file(MOVED.to));
      for (const gone of [MOVED.from, REMOVED.path]) expect(order).not.toContain(file(gone));
      if (fixture.hasRedirects)
        expect(site.redirects.map(({ from }) => from)).toEqual(
          expect.arrayContaining([`/${MOVED.from}`, `/${REMOVED.path}`]),
        );
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 120_000);
});
