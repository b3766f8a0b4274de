import type Anthropic from '@anthropic-ai/sdk';
import { BoundedCache, UNUSED_BY_A_JOB_MS } from '../../shared/bounded-cache.ts';
import { newId } from '../../shared/ids.ts';
import { asStored, jsonText } from '../json.ts';
import type { Queryable } from '../pool.ts';
import { execute, type StatementPart } from '../statement-part.ts';
import type { Todo } from '../../shared/jobs/job.ts';

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
  stopReason?: string;
  /** On an answer: what a server named instead of a reason that the API has. */
  stoppedBy?: string;
  /** On an answer: its calls that do not run, by id, each with the result that the model gets. */
  notRun?: Record<string, string>;
  /** On an answer: the model that was asked. */
  model?: string;
  /** On an instruction: its id. */
  messageId?: string;
  /** On the result of a call that replaced them. */
  todos?: Todo[];
  /** On the result of a call that the policy refused. */
  refused?: { path: string; rule: string }[];
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

/** In characters of JSON: the transcripts of some hundred jobs. */
const KNOWN_CHARACTERS = 16_000_000;
const known = new BoundedCache<{ entry: TranscriptEntry; size: number }>(
  KNOWN_CHARACTERS,
  ({ size }) => size,
  UNUSED_BY_A_JOB_MS,
);

/** As after a restart of the process, for tests. */
export function forgetEntries(): void {
  known.clear();
}

/**
 * Entries that this process has read or written. An entry never changes and its id is never used
 * again, so that what is known need not be read; nobody asks for one whose transaction failed.
 */
function findKnown(id: string): TranscriptEntry | undefined {
  return known.get(id)?.entry;
}

function keep(entry: TranscriptEntry, size: number): TranscriptEntry {
  known.set(entry.id, { entry: Object.freeze(entry), size });
  return entry;
}

/**
 * The entries from `head` up to one for which `isLast` is true, or to the first of all; newest
 * first. Undefined if one of them is not known.
 */
function knownChain(
  head: string,
  isLast: (entry: TranscriptEntry) => boolean = () => false,
): TranscriptEntry[] | undefined {
  const chain: TranscriptEntry[] = [];
  for (let id: string | null = head; id !== null;) {
    const entry = findKnown(id);
    if (!entry) return undefined;
    chain.push(entry);
    if (isLast(entry)) break;
    id = entry.parent_id;
  }
  return chain;
}

/** The id of an entry below `parent`, and what adds it. */
export function newEntry(entry: NewEntry): { id: string; part: StatementPart } {
  const id = newId('ent');
  const { jobId, parent, kind, turn, step, meta = {} } = entry;
  const json = { content: jsonText(entry.content), meta: jsonText(meta) };
  keepWritten(id, entry, json);
  const text: StatementPart['text'] = (value, from) =>
    `insert into transcript_entries (id, job_id, parent_id, depth, kind, turn, step, content, meta)
     select ${value(id, 'text')}, ${value(jobId, 'text')}, ${value(parent, 'text')},
            coalesce((select depth + 1 from transcript_entries
                       where id = ${value(parent, 'text')}), 0),
            ${value(kind, 'text')}, ${value(turn, 'int')}, ${value(step, 'int')},
            ${value(json.content, 'jsonb')}, ${value(json.meta, 'jsonb')} ${from}`;
  return { id, part: { name: 'entry', text } };
}

/** The job's next activity usually runs here too, and reads it. */
function keepWritten(
  id: string,
  { parent, kind, turn, step }: NewEntry,
  json: Record<'content' | 'meta', string>,
): void {
  const above = parent === null ? { depth: -1 } : findKnown(parent);
  if (!above) return;
  const content = asStored(JSON.parse(json.content) as Block[]);
  const meta = asStored(JSON.parse(json.meta) as EntryMeta);
  const entry = { id, parent_id: parent, depth: above.depth + 1, kind, turn, step, content, meta };
  keep(entry, json.content.length + json.meta.length);
}

/** The transcript that ends in `head`, oldest entry first. */
export async function readTranscript(
  db: Queryable,
  head: string | null,
): Promise<TranscriptEntry[]> {
  if (!head) return [];
  const chain = knownChain(head);
  if (chain) return chain.toReversed();
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
  return rows.map(({ content, meta, ...row }) => {
    const size = JSON.stringify([content, meta]).length;
    return keep({ ...row, content: asStored(content), meta: asStored(meta) }, size);
  });
}

/** The commit of the project's own branch that the last preparation saw. */
export async function baseOf(db: Queryable, head: string | null): Promise<string> {
  const chain = head ? knownChain(head, ({ meta }) => meta.base !== undefined) : undefined;
  const base = chain?.at(-1)?.meta.base;
  if (base) return base;
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
  const chain = knownChain(head, ({ kind }) => kind === 'assistant');
  if (chain) return chain.find(({ content }) => asksFor(content, toolUseId));
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

function asksFor(content: readonly Block[], toolUseId: string): boolean {
  return content.some(block => block.type === 'tool_use' && block.id === toolUseId);
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
