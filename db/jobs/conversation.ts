import type { Queryable } from '../pool.ts';

export interface AgentText {
  id: string;
  text: string;
  turn: number;
  step: number;
  createdAt: Date;
}

/**
 * What the agent said on the way to `head`, oldest first: the text of each model call that had any.
 */
export async function readAgentTexts(db: Queryable, head: string | null): Promise<AgentText[]> {
  if (head === null) return [];
  const { rows } = await db.query<AgentText>(
    `with recursive chain as (
       select id, parent_id, depth, kind, turn, step, content, created_at from transcript_entries
        where id = $1
       union all
       select e.id, e.parent_id, e.depth, e.kind, e.turn, e.step, e.content, e.created_at
         from transcript_entries e join chain c on e.id = c.parent_id
     )
     select chain.id, said.text, turn, step, created_at as "createdAt"
       from chain, lateral (
         select string_agg(block ->> 'text', E'\\n\\n' order by position) as text
           from jsonb_array_elements(content) with ordinality as b (block, position)
          where block ->> 'type' = 'text'
       ) said
      where kind = 'assistant' and said.text <> '' order by depth`,
    [head],
  );
  return rows;
}

export interface ChangedFile {
  path: string;
  /** Null if the file did not exist before the job. */
  before: Buffer | null;
  /** Null if the job deleted it. */
  after: Buffer | null;
}

/** Every file that a workspace revision differs in from what the job first saw, by path. */
export async function readChangedFiles(
  db: Queryable,
  revisionId: string | null,
): Promise<ChangedFile[]> {
  if (revisionId === null) return [];
  const { rows } = await db.query<ChangedFile>(
    `select t.path, old.bytes as before, new.bytes as after
       from workspace_revisions r
      cross join jsonb_each(r.touched) as t (path, ids)
       left join lateral (select bytes from blobs where id = t.ids ->> 0 limit 1) old on true
       left join lateral (select bytes from blobs where id = t.ids ->> 1 limit 1) new on true
      where r.id = $1 and t.ids ->> 0 is distinct from t.ids ->> 1
      order by t.path collate "C"`,
    [revisionId],
  );
  return rows;
}
