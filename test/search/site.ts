import type { Pool } from '../../db/pool.ts';
import { createOrganization } from '../../db/people/organizations.ts';
import { createProject } from '../../db/projects/projects.ts';
import { indexPages } from '../../search/indexing/build-index.ts';
import { search } from '../../search/search-by-words.ts';
import type { SearchRequest } from '../../db/search/search-request.ts';
import type { FileMode } from '../../shared/workspace.ts';
import { memorySnapshot } from '../support/memory-snapshot.ts';

let count = 0;

/** A project with an index of its own. */
export async function testSite(
  pool: Pool,
  { docsFolder = 'docs', siteUrl = 'https://docs.example.org' } = {},
) {
  const name = `site-${count++}`;
  const organization = await createOrganization(pool, { slug: name, name });
  const { id } = await createProject(pool, {
    organizationId: organization.id,
    name,
    domain: name,
    host: 'local',
    repository: name,
    repositoryUrl: `http://x/${name}`,
    baseRef: 'main',
    docsFolder,
    siteUrl,
  });
  const index = (
    files: Record<string, string>,
    { signal, modes }: { signal?: AbortSignal; modes?: Record<string, FileMode> } = {},
  ) =>
    indexPages(
      pool,
      id,
      { snapshot: memorySnapshot(files, modes), docsFolder },
      signal && { signal },
    );
  const find = (query: string, more: Partial<SearchRequest> = {}) =>
    search(pool, { projectId: id, query, pageSize: 5, ...more });
  const paths = async (query: string, more: Partial<SearchRequest> = {}) =>
    (await find(query, more)).map(result => result.path);
  return { id, index, find, paths };
}

export function page(title: string, text: string, matter = ''): string {
  return `---\ntitle: ${title}\n${matter}${matter === '' ? '' : '\n'}---\n\n${text}\n`;
}
