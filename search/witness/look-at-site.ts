import type { Pool } from '../../db/pool.ts';
import {
  type PublishedCheck,
  readDocuments,
  readPagePaths,
  readPageText,
  readPublishedCheck,
  readSeenSite,
  storePageText,
  storePublished,
} from '../../db/search/published.ts';
import { pageUrl } from '../../db/search/page-url.ts';
import type { SeenSite } from '../../sites/published/seen-page.ts';
import { findPages, readPage } from './find-pages.ts';
import { type ClientOptions, SiteAway, SiteClient } from './site-client.ts';

export interface LookedAt {
  id: string;
  siteUrl: string;
  /** Of the index, as its base path. */
  commit: string;
  basePath: string;
}

const HOUR_MS = 60 * 60_000;
/** A commit is published some time after it was pushed. */
const UNSETTLED_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * 24 * HOUR_MS;

/**
 * Asks a project's site what it publishes, if that is due. True if something is known now that was
 * not, so that the index can say more. What the site does wrong is noted, never thrown.
 */
export async function lookAtSite(
  pool: Pool,
  project: LookedAt,
  options: ClientOptions,
): Promise<boolean> {
  const check = await readPublishedCheck(pool, project.id);
  const isDue = !check || isLookDue(check, project);
  if (!isDue && check.wanted.length === 0) return false;
  const before = await readSeenSite(pool, project.id);
  try {
    const client = await SiteClient.open(project.siteUrl, options);
    if (isDue) await lookForPages(pool, project, client, options.signal);
    await readWanted(pool, project, client, { isDue, signal: options.signal });
  } catch (error) {
    if (!(error instanceof SiteAway)) throw error;
    await storePublished(pool, project.id, project, { failure: error.message });
  }
  return isOther(before, await readSeenSite(pool, project.id));
}

/** After each index, hourly while its commit may not be published yet, and weekly. */
export function isLookDue(check: PublishedCheck, { siteUrl, commit }: LookedAt): boolean {
  if (check.siteUrl !== siteUrl || check.commit !== commit) return true;
  const age = Date.now() - check.checkedAt.getTime();
  const isSettled = Date.now() - check.commitSince.getTime() > UNSETTLED_MS;
  return age > (isSettled ? WEEK_MS : HOUR_MS);
}

async function lookForPages(
  pool: Pool,
  project: LookedAt,
  client: SiteClient,
  signal: AbortSignal,
): Promise<void> {
  const known = await readDocuments(pool, project.id);
  const { siteUrl: site_url, basePath: base_path } = project;
  const home = pageUrl({ site_url, base_path }, base_path);
  const found = await findPages(client, home, known, signal);
  await storePublished(
    pool,
    project.id,
    project,
    found ?? {
      failure: `No page was found at ${project.siteUrl}: no sitemap, no llms.txt, no links.`,
    },
  );
}

/** Pages that the index asks for; those that it has are asked again when a look is due. */
async function readWanted(
  pool: Pool,
  { id, siteUrl }: LookedAt,
  client: SiteClient,
  { isDue, signal }: { isDue: boolean; signal: AbortSignal },
): Promise<void> {
  const wanted = (await readPublishedCheck(pool, id))?.wanted ?? [];
  const paths = new Set([...wanted, ...(isDue ? await readPagePaths(pool, id) : [])]);
  for (const path of paths) {
    if (client.isSpent) return;
    const page = await readPage(client, siteUrl, path, await readPageText(pool, id, path), signal);
    if (page) await storePageText(pool, id, page);
  }
}

function isOther(before: SeenSite | null, now: SeenSite | null): boolean {
  return JSON.stringify(before) !== JSON.stringify(now);
}
