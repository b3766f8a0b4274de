import { readIndexState } from '../../db/search/index-state.ts';
import { readPublishedCheck } from '../../db/search/published.ts';
import type { Pool } from '../../db/pool.ts';
import { lookAtSite } from '../../search/witness/look-at-site.ts';
import { isPublicAddress } from '../../shared/outgoing/public-address.ts';
import { serveSite } from '../support/static-site.ts';
import { testSite } from './site.ts';

const HERE = (address: string) => address === '127.0.0.1' || isPublicAddress(address);

/** A project whose site is served on this machine, indexed once and not looked at yet. */
export async function publishedProject(
  pool: Pool,
  published: Record<string, string | Buffer>,
  files: Record<string, string>,
  { docsFolder = 'docs', path = '' } = {},
) {
  const site = await serveSite(published);
  const siteUrl = `${site.url}${path}`;
  const project = await testSite(pool, { docsFolder, siteUrl });
  const index = (newer = files) => project.index(newer);
  await index();
  const look = async (more: { timeoutMs?: number; intervalMs?: number; totalMs?: number } = {}) => {
    const { commit, site: known } = (await readIndexState(pool, project.id))!;
    return lookAtSite(
      pool,
      { id: project.id, siteUrl, commit, basePath: known.basePath },
      {
        ...{ mayReach: HERE, userAgent: 'Docent/test (+https://docent.example/)' },
        ...{ signal: new AbortController().signal, intervalMs: 0, ...more },
      },
    );
  };
  /** As the workflow does it. */
  const settle = async () => {
    while (await look()) await index();
  };
  const facts = async () => (await readIndexState(pool, project.id))!.site.published;
  const check = () => readPublishedCheck(pool, project.id);
  const forget = () =>
    pool.query(
      `update published_sites set checked_at = now() - interval '8 days' where project_id = $1`,
      [project.id],
    );
  return { site, ...project, index, look, settle, facts, check, forget };
}
