import type Anthropic from '@anthropic-ai/sdk';
import { newId } from '../../shared/ids.ts';
import { jsonText } from '../json.ts';
import type { Queryable } from '../pool.ts';
import { execute, type StatementPart } from '../statement-part.ts';
import type { Todo } from '../../shared/jobs/job.ts';
import type { Construct } from '../../shared/jobs/construct.ts';
import type { Answer } from '../../shared/jobs/waiting.ts';
import type { Plan } from '../../shared/jobs/waiting-schemas.ts';

export type Block = Anthropic.Beta.BetaContentBlockParam;

export type ImageBlock = Anthropic.Beta.BetaImageBlockParam;

export interface TranscriptEntry {
  id: string;
  parent_id: string | null;
  depth: number;
  kind: 'user' | 'assistant' | 'tool_results';
  turn: number;
  step: number;
  content: Block[];
  meta: EntryMeta;
}

export interface EntryMeta {
  /** On a turn's first entry of our own: the system prompt from here on. */
  system?: string;
  /** On the same entry: the newest commit of the project's own branch. */
  base?: string;
  /** On the same entry, where it holds the comments on the pull request. */
  comments?: boolean;
  /** On an entry of our own: the date that the model got. */
  date?: string;
  /** On the same entry, where it holds the orientation. */
  orientation?: boolean;
  /** On an accepted `finish`. */
  finish?: { title: string; body: string; message: string };
  /** On an accepted `ask`. */
  ask?: { question: string; options?: string[] };
  /** On an accepted `propose_plan`. */
  plan?: Plan;
  stopReason?: string;
  /** On an answer: what a server named instead of a reason that the API has. */
  stoppedBy?: string;
  /** On an answer: its calls that do not run, by id, each with the result that the model gets. */
  notRun?: Record<string, string>;
  /** On an answer: the model that was asked. */
  model?: string;
  /** On an answer: it was asked for a plan, and its calls may only read. */
  planning?: boolean;
  /** On an instruction: its id. */
  messageId?: string;
  /** On an instruction: it is carried out once its plan is approved. */
  planFirst?: boolean;
  /** On a person's decision: which. */
  answer?: Answer['verb'];
  /** On the result of a call that replaced them. */
  todos?: Todo[];
  /** On the result of a call that the policy refused. */
  refused?: { path: string; rule: string; construct?: Construct }[];
}

export type NewEntry = Pick<TranscriptEntry, 'kind' | 'turn' | 'step' | 'content'> & {
  jobId: string;
  parent: string | null;
  meta?: EntryMeta;
};

/**
 * Adds an entry below `parent`; nothing that is there ever changes. Returns its id: the new head.
 */
export async function appendEntry(tx: Queryable, entry: NewEntry): Promise<string> {
  const { id, part } = newEntry(entry);
  await execute(tx, part);
  return id;
}

/** The id of an entry below `parent`, and what adds it. */
export function newEntry(entry: NewEntry): { id: string; part: StatementPart } {
  const id = newId('ent');
  const { jobId, parent, kind, turn, step, meta = {} } = entry;
  const text: StatementPart['text'] = (value, from) =>
    `insert into transcript_entries (id, job_id, parent_id, depth, kind, turn, step, content, meta)
     select ${value(id, 'text')}, ${value(jobId, 'text')}, ${value(parent, 'text')},
            coalesce((select depth + 1 from transcript_entries
                       where id = ${value(parent, 'text')}), 0),
            ${value(kind, 'text')}, ${value(turn, 'int')}, ${value(step, 'int')},
            ${value(jsonText(entry.content), 'jsonb')}, ${value(jsonText(meta), 'jsonb')} ${from}`;
  return { id, part: { name: 'entry', text } };
}

/** The transcript that ends in `head`, oldest entry first. */
export async function readTranscript(
  db: Queryable,
  head: string | null,
): Promise<TranscriptEntry[]> {
  if (!head) return [];
  const { rows } = await db.query<TranscriptEntry>({
    name: 'read-transcript',
    text: `with recursive chain as (
             select * from transcript_entries where id = $1
             union all
             select e.* from transcript_entries e join chain c on e.id = c.parent_id
           )
           select id, parent_id, depth, kind, turn, step, content, meta from chain order by depth`,
    values: [head],
  });
  return rows;
}

export type Marks = Pick<TranscriptEntry, 'turn' | 'meta'>;

/** What is noted with the entries of a turn, oldest first; no contents and no system prompt. */
export async function readMarks(
  db: Queryable,
  head: string | null,
  turn: number,
): Promise<Marks[]> {
  if (!head) return [];
  const { rows } = await db.query<Marks>({
    name: 'read-marks',
    text: `with recursive chain as (
             select id, parent_id, depth, turn from transcript_entries where id = $1
             union all
             select e.id, e.parent_id, e.depth, e.turn
               from transcript_entries e join chain c on e.id = c.parent_id
              where e.turn >= $2
           )
           select e.turn, e.meta - 'system' as meta
             from chain c join transcript_entries e using (id)
            where e.turn = $2 order by c.depth`,
    values: [head, turn],
  });
  return rows;
}

/** The commit of the project's own branch that the last preparation saw. */
export async function baseOf(db: Queryable, head: string | null): Promise<string> {
  const { rows } = await db.query<{ base: string }>({
    name: 'base-of-transcript',
    text: `with recursive chain as (
             select id, parent_id, meta ->> 'base' as base from transcript_entries where id = $1
             union all
             select e.id, e.parent_id, e.meta ->> 'base'
               from transcript_entries e join chain c on e.id = c.parent_id
              where c.base is null
           )
           select base from chain where base is not null`,
    values: [head],
  });
  if (!rows[0]) throw new Error(`no turn was prepared before ${head}`);
  return rows[0].base;
}

/** One entry, such as the model's answer that asks for a tool. */
export async function readAssistantEntry(
  db: Queryable,
  head: string | null,
  toolUseId: string,
): Promise<Pick<TranscriptEntry, 'content' | 'meta'> | undefined> {
  if (!head) return undefined;
  const { rows } = await db.query<TranscriptEntry>({
    name: 'read-assistant-entry',
    text: `with recursive chain as (
             select * from transcript_entries where id = $1
             union all
             select e.* from transcript_entries e join chain c on e.id = c.parent_id
              where c.kind <> 'assistant'
           )
           select * from chain
            where kind = 'assistant'
              and content @> jsonb_build_array(
                    jsonb_build_object('type', 'tool_use', 'id', $2::text))`,
    values: [head, toolUseId],
  });
  return rows[0];
}

/** What a call gave: exactly what the model read of it. */
export interface CallResult {
  toolCallId: string;
  content: string;
  /** Characters of the whole content. */
  length: number;
  isError: boolean;
}

/**
 * What the calls of one step gave, also those that a rewind undid, oldest first: at most `calls` of
 * them, and of each the first `characters`.
 */
export async function readStepResults(
  db: Queryable,
  step: { jobId: string; turn: number; step: number },
  { calls, characters }: { calls: number; characters: number },
): Promise<CallResult[]> {
  const { rows } = await db.query<CallResult>(
    `select block ->> 'tool_use_id' as "toolCallId", left(said.text, $5) as content,
            length(said.text) as length, coalesce((block -> 'is_error')::boolean, false) as "isError"
       from transcript_entries e
      cross join jsonb_array_elements(e.content) with ordinality as b (block, position)
      cross join lateral (
        select case jsonb_typeof(block -> 'content')
                 when 'string' then block ->> 'content'
                 -- An image comes after its description.
                 when 'array' then block -> 'content' -> 0 ->> 'text' else '' end as text) said
      where e.job_id = $1 and e.turn = $2 and e.step = $3 and e.kind = 'tool_results'
        and block ->> 'type' = 'tool_result'
      order by e.created_at, e.depth, position limit $4`,
    [step.jobId, step.turn, step.step, calls, characters],
  );
  return rows;
}
