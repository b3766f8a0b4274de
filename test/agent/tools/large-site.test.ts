import { type Measured, measureTools } from '../../../bench/large-site/measure-tools.ts';
import { generatedSite } from '../../../bench/large-site/site.ts';
import { SLOW } from '../../support/slow.ts';

const PAGES = SLOW ? 1_000 : 120;
/** Of three runs, each on texts that no cache knows, the best one: other processes only delay. */
const RUNS = SLOW ? 3 : 1;
const KINDS = ['docs.json', 'docusaurus'] as const;

describe.each(KINDS)('the tools on a large site: %s', kind => {
  const best = new Map<string, Measured>();

  beforeAll(async () => {
    // Compiles the code and starts the threads.
    await measureTools(generatedSite(kind, 30, 1));
    for (let run = 0; run < RUNS; run++)
      for (const one of await measureTools(generatedSite(kind, PAGES, 2 + run))) {
        const known = best.get(one.what) ?? one;
        best.set(one.what, {
          ...one,
          ms: Math.min(known.ms, one.ms),
          heldMs: Math.min(known.heldMs, one.heldMs),
        });
      }
  }, 300_000);

  it('never holds the event loop', () => {
    // The checks alone would hold it for 400 ms. Under load a process waits for its turn, too.
    const most = SLOW ? 50 : 150;
    expect([...best.values()].filter(({ heldMs }) => heldMs > most)).toEqual([]);
  });

  (SLOW ? it : it.skip).each([
    'search_text',
    'search_text, again (median)',
    'check after one edit',
    'move_page',
    'move_page, second',
    'finish',
  ])('%s takes at most 500 ms', what => {
    expect(best.get(what)?.ms).toBeLessThanOrEqual(500);
  });
});
