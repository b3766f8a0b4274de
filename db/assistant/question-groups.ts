import type { Queryable } from '../pool.ts';
import { similarity } from '../search/vectors.ts';

/** What a person decided about a group of questions. */
export type QuestionState = 'open' | 'dismissed' | 'resolved';

/**
 * Of the group `g`. One that was resolved by a page opens again when the docs do not answer it
 * afterwards.
 */
export const STATE = `case when g.closed_at is null then 'open' when g.page is null then 'dismissed'
  when exists (select from questions later where later.group_id = g.id and not later.answered
                  and later.created_at > g.closed_at) then 'open'
  else 'resolved' end`;

/**
 * The group of a project's questions that are most like this one: two of three stems are shared. It
 * is locked, so that it is not deleted before the question is in it.
 */
export const ALIKE = `select g.id from question_groups g
  cross join lateral (
    select count(*)::float as common from
      (select unnest(g.words) intersect select unnest(asked.words)) shared) s
 where g.project_id = asked.project_id
   and (g.words && asked.words or g.words = asked.words)
   and 3 * s.common >= 2 * (cardinality(g.words) + cardinality(asked.words) - s.common)
 order by s.common / greatest(cardinality(g.words) + cardinality(asked.words) - s.common, 1) desc,
          g.id
 limit 1 for no key update of g`;

/**
 * From here on two questions mean the same. Of 24 pairs of questions that ask the same in other
 * words, the local model puts 11 above it, and words alone 1; of 21,945 pairs of other questions
 * about one product, 11.
 */
const SAME_MEANING = 0.65;
/** Newest groups that a question is compared with: half a megabyte of vectors. */
const MOST_COMPARED = 300;

/** The group whose first question means the same as this one. */
export async function nearestGroup(
  db: Queryable,
  projectId: string,
  vector: Float32Array,
): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string; vector: Buffer }>(
    `select id, vector from question_groups
      where project_id = $1 and vector is not null and length(vector) = $2
      order by created_at desc, id desc limit $3`,
    [projectId, vector.byteLength, MOST_COMPARED],
  );
  const near = rows
    .map(row => ({ id: row.id, alike: similarity(vector, row.vector) }))
    .filter(({ alike }) => alike >= SAME_MEANING);
  return near.sort((a, b) => b.alike - a.alike)[0]?.id;
}

/** Closes a group, as resolved if a page is named; or opens it again. */
export async function changeGroup(
  db: Queryable,
  groupId: string,
  isClosed: boolean,
  page: string | null,
): Promise<void> {
  await db.query(
    `update question_groups set page = $3,
            closed_at = case when $2 then now() end where id = $1`,
    [groupId, isClosed, page],
  );
}

/**
 * Deletes those of the groups that have no question left. Their own count includes one that came
 * while this statement waited for the group.
 */
export async function deleteEmptyGroups(db: Queryable, ids: readonly string[]): Promise<void> {
  await db.query(
    `delete from question_groups g
      where id = any($1) and asked <= 0
        and not exists (select from questions where group_id = g.id)`,
    [ids],
  );
}
