import type { Snapshot } from '../../shared/workspace.ts';
import type { Queryable } from '../pool.ts';

const FILE = 'ASSISTANT.md';
const MAX_LENGTH = 30_000;

/**
 * Keeps what ASSISTANT.md says at a commit, the docs folder's before the root's; none there, none
 * kept.
 */
export async function storeSiteInstructions(
  db: Queryable,
  projectId: string,
  snapshot: Snapshot,
  docsFolder: string,
): Promise<void> {
  const bytes =
    (docsFolder === '' ? undefined : await snapshot.read(`${docsFolder}/${FILE}`)) ??
    (await snapshot.read(FILE));
  const text = bytes?.toString('utf8').replaceAll('\0', '').slice(0, MAX_LENGTH).trim();
  if (!text) await db.query('delete from site_instructions where project_id = $1', [projectId]);
  else {
    await db.query(
      `insert into site_instructions (project_id, text) values ($1, $2)
       on conflict (project_id) do update set text = excluded.text`,
      [projectId, text],
    );
  }
}
