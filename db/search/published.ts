import type { Addresses } from '../../sites/published/with-addresses.ts';
import type { SeenSite } from '../../sites/published/seen-page.ts';
import { jsonText } from '../json.ts';
import { type Pool, type Queryable, transaction } from '../pool.ts';
import type { PublishedHeading } from './published-site.ts';

/** How the addresses of a published site were found. */
export type PublishedSource = 'sitemap' | 'llms.txt' | 'links';

/** What the newest look at a published site came to. */
export interface PublishedCheck {
  siteUrl: string;
  source: PublishedSource | null;
  /** A sentence for people; null: it did not fail. */
  failure: string | null;
  /** Of the index then. */
  commit: string | null;
  /** When that commit was first compared. */
  commitSince: Date;
  checkedAt: Date;
  wanted: string[];
}

/** Of an answer, what makes the next question conditional. */
export interface Validators {
  etag: string | null;
  lastModified: string | null;
}

/** A sitemap, an llms.txt, or a page with links, as it was last read. */
export interface PublishedDocument extends Validators {
  url: string;
  pages: [path: string, title: string | null][];
  /** Addresses of more documents: of a sitemap index, or links to follow. */
  further: string[];
}

/** A page as its site shows it. */
export interface PageText {
  title: string;
  text: string;
  headings: PublishedHeading[];
}

export interface StoredPageText extends PageText, Validators {
  path: string;
  digest: string;
}

export async function readPublishedCheck(
  db: Queryable,
  projectId: string,
): Promise<PublishedCheck | null> {
  const { rows } = await db.query<PublishedCheck>(
    `select site_url as "siteUrl", source, failure, commit, commit_since as "commitSince",
            checked_at as "checkedAt", wanted
       from published_sites where project_id = $1`,
    [projectId],
  );
  return rows[0] ?? null;
}

/** What was seen of the site at the project's address; null: nothing. */
export async function readSeenSite(db: Queryable, projectId: string): Promise<SeenSite | null> {
  const { rows } = await db.query<SeenSite>(
    `select s.site_url as "siteUrl", s.is_whole as "isList",
            (select coalesce(jsonb_agg(jsonb_build_object(
                      'path', f.path, 'title', coalesce(nullif(f.title, ''), nullif(p.title, '')),
                      'digest', p.digest) order by f.path), '[]')
               from (select page ->> 0 as path, max(page ->> 1) as title
                       from published_documents d, jsonb_array_elements(d.found -> 'pages') as page
                      where d.project_id = s.project_id group by 1) f
               left join published_pages p on p.project_id = s.project_id and p.path = f.path
            ) as pages
       from published_sites s join projects on projects.id = s.project_id
      where s.project_id = $1 and s.site_url = projects.site_url and s.source is not null`,
    [projectId],
  );
  return rows[0] ?? null;
}

export async function readDocuments(
  db: Queryable,
  projectId: string,
): Promise<Map<string, PublishedDocument>> {
  const { rows } = await db.query<PublishedDocument>(
    `select url, etag, last_modified as "lastModified", found -> 'pages' as pages,
            found -> 'further' as further
       from published_documents where project_id = $1`,
    [projectId],
  );
  return new Map(rows.map(row => [row.url, row]));
}

/** The page's main part; undefined if it was not read. */
export async function readPageText(
  db: Queryable,
  projectId: string,
  path: string,
): Promise<StoredPageText | undefined> {
  const { rows } = await db.query<StoredPageText>(
    `select path, title, text, headings, digest, etag, last_modified as "lastModified"
       from published_pages where project_id = $1 and path = $2`,
    [projectId, path],
  );
  return rows[0];
}

export async function readPagePaths(db: Queryable, projectId: string): Promise<string[]> {
  const { rows } = await db.query<{ path: string }>(
    `select path from published_pages where project_id = $1 order by path`,
    [projectId],
  );
  return rows.map(({ path }) => path);
}

/** Another page of what was read. */
export async function storePageText(
  db: Queryable,
  projectId: string,
  page: StoredPageText,
): Promise<void> {
  await db.query(
    `insert into published_pages
            (project_id, path, title, text, headings, digest, etag, last_modified)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (project_id, path) do update
        set title = excluded.title, text = excluded.text, headings = excluded.headings,
            digest = excluded.digest, etag = excluded.etag,
            last_modified = excluded.last_modified`,
    [
      ...[projectId, page.path, page.title, page.text, jsonText(page.headings), page.digest],
      ...[page.etag, page.lastModified],
    ],
  );
}

/**
 * Notes what was found, or why nothing was: then what was seen before stays. An address that was
 * not asked before starts from nothing.
 */
export async function storePublished(
  pool: Pool,
  projectId: string,
  asked: { siteUrl: string; commit: string | null },
  found:
    | { source: PublishedSource; isWhole: boolean; documents: PublishedDocument[] }
    | { failure: string },
): Promise<void> {
  await transaction(pool, async tx => {
    await tx.query('delete from published_sites where project_id = $1 and site_url <> $2', [
      projectId,
      asked.siteUrl,
    ]);
    await tx.query(
      `insert into published_sites as s (project_id, site_url, source, failure, commit, is_whole)
       values ($1, $2, $3, $4, $5, $6)
       on conflict (project_id) do update
          set source = coalesce(excluded.source, s.source), failure = excluded.failure,
              is_whole = case when excluded.source is null then s.is_whole
                              else excluded.is_whole end,
              checked_at = now(), commit = excluded.commit,
              commit_since = case when s.commit is not distinct from excluded.commit
                                  then s.commit_since else now() end`,
      [
        ...[projectId, asked.siteUrl, 'source' in found ? found.source : null],
        ...['failure' in found ? found.failure : null, asked.commit],
        'isWhole' in found && found.isWhole,
      ],
    );
    if ('failure' in found) return;
    await tx.query('delete from published_documents where project_id = $1', [projectId]);
    for (const { url, etag, lastModified, pages, further } of found.documents)
      await tx.query(
        `insert into published_documents (project_id, url, etag, last_modified, found)
         values ($1, $2, $3, $4, $5)`,
        [projectId, url, etag, lastModified, jsonText({ pages, further })],
      );
  });
}

/** What an index made of what was seen. */
export async function noteAddresses(
  db: Queryable,
  projectId: string,
  { addresses, wanted }: { addresses: Addresses; wanted: string[] },
): Promise<void> {
  await db.query('update published_sites set addresses = $2, wanted = $3 where project_id = $1', [
    projectId,
    jsonText(addresses),
    wanted,
  ]);
}

/** The addresses that the last index gave files; null: those of the site's kind. */
export async function readAddresses(db: Queryable, projectId: string): Promise<Addresses | null> {
  const { rows } = await db.query<{ addresses: Addresses | null }>(
    `select ${ADDRESSES_OF_PROJECT} as addresses from projects p where p.id = $1`,
    [projectId],
  );
  return rows[0]?.addresses ?? null;
}

/** Of `projects p`; not of another address that the site had before. */
export const ADDRESSES_OF_PROJECT = `(select s.addresses from published_sites s
   where s.project_id = p.id and s.site_url = p.site_url)`;
