import type { Pool } from '../../db/pool.ts';

/** Whose rows they are, how many jobs there are, and from which number on. */
export interface ManyJobs {
  organizationId: string;
  projectId: string;
  repository: string;
  from: number;
  count: number;
}

const AGE = `now() - i * interval '260 seconds'`;
const JOB = `'job_' || lpad(i::text, 26, '0')`;
const SERIES = `generate_series($4::integer, $5::integer) as made (i)`;

/**
 * What many jobs of a project, and as many questions, leave in the database, in proportion:
 * $1 organization, $2 project, $3 repository, $4 and $5 the first and the last number. The newest is
 * of now. Nine of ten jobs are archived, 20 active; seven of ten have a pull request.
 */
const STATEMENTS = [
  `insert into users (id, email, name)
   select 'usr_many' || i, 'person' || i || '@many.test', 'Person ' || i
     from generate_series(1, 20) as made (i) on conflict do nothing`,
  `insert into jobs (id, organization_id, project_id, user_id, api_key_id, state, model, prompt,
                     title, host, repository, repository_url, base_ref, branch, ref, pr_number,
                     pr_link, turns, transcript_head, created_at, updated_at, finished_at, archived_at)
   select ${JOB}, $1, $2, case when i % 3 = 0 then 'usr_many' || (1 + i % 20) end,
          case when i % 3 <> 0 then 'key_many' || i % 5 end,
          case when i <= 20 then 'active' when i % 20 = 0 then 'failed'
               else 'completed' end,
          'model-' || i % 4, 'Rename widget' || i || ' to gadget on the page about it. ' ||
          repeat(md5(i::text), 6), 'Rename widget' || i, 'local', $3, 'http://x/' || $3, 'main',
          'docent/rename-widget-' || i, 'docent/rename-widget-' || i,
          case when i % 10 > 2 then i end, case when i % 10 > 2 then 'http://x/pulls/' || i end,
          1 + i % 3, 'ent_' || i || '_2', ${AGE},
          -- No sweep is to look after those at work.
          case when i <= 20 then now() + interval '1 day' else ${AGE} + interval '2 minutes' end,
          ${AGE} + interval '2 minutes', case when i > 10000 then ${AGE} + interval '30 days' end
     from ${SERIES}`,
  `insert into instructions (job_id, message_id, prompt, source, state, turn, created_at)
   select ${JOB}, 'msg_' || t, repeat(md5(i::text), 6), 'api', 'taken', t, ${AGE}
     from ${SERIES}, generate_series(1, 1 + i % 2) as turn (t)`,
  `insert into transcript_entries (id, job_id, parent_id, depth, kind, turn, step, content,
                                   created_at)
   select 'ent_' || i || '_' || n, ${JOB}, case when n = 2 then 'ent_' || i || '_1' end, n, 'assistant', 1, n,
          jsonb_build_array(jsonb_build_object('type', 'text', 'text', repeat(md5(i::text), 8))),
          ${AGE}
     from ${SERIES}, generate_series(1, 2) as step (n)`,
  `insert into job_events (job_id, seq, type, data, created_at)
   select ${JOB}, n, 'tool_result',
          jsonb_build_object('toolName', case when n = 2 then 'finish' else 'view' end,
                             'turn', 1 + i % 3, 'isError', false), ${AGE}
     from ${SERIES}, generate_series(1, 3) as event (n)`,
  `insert into workspace_revisions (id, job_id, base_commit, files, created_at)
   select 'rev_' || i, ${JOB}, md5(i::text), '{}', ${AGE} from ${SERIES}`,
  `insert into activity_results (run_id, activity_id, job_id, type, created_at)
   select 'run_' || i, '1', ${JOB}, 'callModel', ${AGE} from ${SERIES}`,
  `insert into model_calls (id, organization_id, project_id, api_key_id, job_id, purpose, model,
                            outcome, input_tokens, output_tokens, cost_microusd, started_at,
                            settled_at)
   select 'cal_' || i || '_' || n, $1, $2, 'key_many' || i % 5, ${JOB}, 'agent', 'model-' || i % 4,
          'ok', 1000, 100, 500, ${AGE}, ${AGE}
     from ${SERIES}, generate_series(1, 2) as call (n)`,
  `insert into publications (id, job_id, turn, revision_id, branch, parent, commit, tree, message,
                             author_time, title, body, state, created_at)
   select 'pub_' || i, ${JOB}, 1, 'rev_' || i, 'docent/rename-widget-' || i, 'a', md5(i::text), 'b',
          'c', 0, 'd', 'e', 'published', ${AGE}
     from ${SERIES} where i % 10 > 2`,
  `insert into branch_holds (repository_url, branch, job_id)
   select 'http://x/' || $3, 'docent/rename-widget-' || i, ${JOB}
     from ${SERIES} where i % 10 > 2 and i <= 10000`,
  `insert into local_pull_requests (repository, number, token, title, body, head, base, state,
                                    head_commit, base_commit, job_id, created_at, closed_at)
   select $3, i, md5(i::text), 'Rename widget' || i, repeat(md5(i::text), 10),
          'docent/rename-widget-' || i, 'main',
          case when i % 10 = 3 then 'open' when i % 10 = 4 then 'closed' else 'merged' end,
          md5(i::text), md5(i::text), ${JOB}, ${AGE}, ${AGE}
     from ${SERIES} where i % 10 > 2`,
  `insert into github_pull_requests (repository, number, state, updated_at)
   select 'acme/other-' || $3, i, 'merged', now() - i * interval '5 seconds' from ${SERIES}`,
  `insert into review_comments (id, job_id, user_id, author, file, quote, text, created_at)
   select 'rvc_' || i, ${JOB}, 'usr_many' || (1 + i % 20), 'Person', 'docs/a.md', 'q', 't', ${AGE}
     from ${SERIES} where i % 5 = 0`,
  `insert into idempotency_keys (organization_id, api_key_id, route, key, body_hash, job_id,
                                 completed_at, created_at)
   select $1, 'key_many' || i % 5, 'create ' || $2, 'k' || i, 'x', ${JOB}, ${AGE}, ${AGE}
     from ${SERIES}`,
  `insert into threads (id, project_id, fp, created_at, updated_at)
   select 'thr_' || i, $2, 'anonymous', ${AGE}, ${AGE} from ${SERIES} where i % 2 = 0`,
  `insert into thread_messages (thread_id, message_id, role, text, created_at)
   select 'thr_' || i, 'm' || n, case when n % 2 = 1 then 'user' else 'assistant' end,
          repeat(md5(i::text), 8), ${AGE}
     from ${SERIES}, generate_series(1, 2) as message (n) where i % 2 = 0`,
  `insert into question_groups (id, project_id, words, created_at, asked, newest_id, newest_at,
                                newest_answered)
   select 'grp_' || i, $2, array['widget' || i, 'renam'], ${AGE}, 5, 'qst_' || i, ${AGE}, i % 4 <> 0
     from ${SERIES} where i % 5 = 0`,
  `insert into questions (id, project_id, thread_id, question, answered, group_id, created_at)
   select 'qst_' || i, $2, 'thr_' || (i - i % 2), 'How do I rename widget' || (i - i % 5) || '?',
          i % 4 <> 0, nullif('grp_' || (i - i % 5), 'grp_0'), ${AGE}
     from ${SERIES} where i > $4::integer + 5`,
  `insert into audit_log (id, organization_id, action, actor_kind, actor_name, at)
   select 'aud_' || lpad((1000000 - i)::text, 12, '0'), $1,
          case when i % 50 = 0 then 'key.created' else 'job.archived' end, 'user', 'Person', ${AGE}
     from ${SERIES}`,
  `insert into uploads (id, project_id, sha256, name, media_type, bytes, created_at)
   select 'upl_' || i, $2, i::text::bytea, 'x.png', 'image/png', 'x', ${AGE}
     from ${SERIES} where i % 5 = 0`,
  `insert into instruction_uploads (job_id, message_id, position, upload_id)
   select ${JOB}, 'msg_1', 0, 'upl_' || i from ${SERIES} where i % 5 = 0`,
];

export async function insertManyJobs(
  pool: Pool,
  { organizationId, projectId, repository, from, count }: ManyJobs,
): Promise<void> {
  const client = await pool.connect();
  // Nothing here refers to what is not there, and to check it takes minutes.
  await client.query('set session_replication_role = replica');
  for (const statement of STATEMENTS)
    await client.query(
      // Each parameter must be there, with a type.
      `with given as (select $1::text, $2::text, $3::text, $4::integer, $5::integer) ${statement}`,
      [organizationId, projectId, repository, from, from + count - 1],
    );
  client.release(true);
  await pool.query('vacuum analyze');
}
