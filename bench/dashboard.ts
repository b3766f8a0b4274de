import { startServices } from '../test/support/start-services.ts';
import { at, startUi } from '../test/dashboard/ui/harness.ts';

const VISITS = 10;

/**
 * The dashboard's first page in a real browser, nothing cached: what comes over the wire, and when
 * a person sees what they came for.
 */
export async function run(): Promise<Record<string, unknown>> {
  const services = await startServices();
  const ui = await startUi({ noWorker: true });
  try {
    const { context } = await ui.signedIn('owner');
    const storageState = await context.storageState();
    const visits: Visit[] = [];
    for (let i = 0; i < VISITS; i += 1)
      visits.push(await visit(ui, { ...storageState, origins: [] }));
    const median = (pick: (one: Visit) => number) =>
      visits.map(pick).sort((a, b) => a - b)[Math.floor(VISITS / 2)]!;
    const result = {
      kilobytes: median(one => one.kilobytes),
      requests: median(one => one.requests),
      firstPaintMs: median(one => one.firstPaintMs),
      readyMs: median(one => one.readyMs),
    };
    console.table([result]);
    console.log('goal: at most 150 kB compressed');
    return { dashboard: result };
  } finally {
    await ui.close();
    await services.stop();
  }
}

interface Visit {
  kilobytes: number;
  requests: number;
  firstPaintMs: number;
  readyMs: number;
}

/** From the address to a project's overview with its data. */
async function visit(
  ui: Awaited<ReturnType<typeof startUi>>,
  storageState: NonNullable<Parameters<typeof ui.visitor>[0]>['storageState'],
): Promise<Visit> {
  const { page, context } = await ui.visitor({ ...(storageState && { storageState }) });
  const began = performance.now();
  await page.goto(at());
  await page.getByRole('heading', { name: 'No jobs yet' }).waitFor();
  const readyMs = Math.round(performance.now() - began);
  const { sizes, paint } = await page.evaluate<{ sizes: number[]; paint: number }>(`({
    sizes: ['navigation', 'resource']
      .flatMap(type => performance.getEntriesByType(type))
      .filter(entry => !entry.name.includes('/api/'))
      .map(entry => entry.transferSize),
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
  })`);
  await context.close();
  return {
    kilobytes: Math.round(sizes.reduce((sum, size) => sum + size, 0) / 100) / 10,
    requests: sizes.length,
    firstPaintMs: Math.round(paint),
    readyMs,
  };
}
