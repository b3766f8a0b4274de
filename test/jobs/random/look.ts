import { IS_ORIENTATION } from '../../../shared/agent-text.ts';
import type { Conversation } from '../../../shared/jobs/conversation.ts';
import type { JobBody, JobStack } from '../../support/job-stack.ts';
import type { Repository } from './git.ts';
import type { Call, PullRequest, Seen } from './reference.ts';
import { pagePath } from './model.ts';
import type { Played } from './played.ts';

/** Looks at all that can be seen of a job that rests. */
export async function look(stack: JobStack, repository: Repository, played: Played): Promise<Seen> {
  await settled(stack, played.jobId);
  const { rows: pulls } = await stack.pool.query<
    Omit<PullRequest, 'link' | 'pages'> & { head: string; token: string }
  >(
    'select number, state, head, token from local_pull_requests where job_id = $1 order by number',
    [played.jobId],
  );
  const edits = await editsOf(stack, played.jobId);
  return {
    ...played,
    prLink: (await stack.get<JobBody>(played.jobId)).prLink,
    conversation: await stack.get<Conversation>(played.jobId, '/messages'),
    pulls: pulls.map(({ number, state, head, token }) => ({
      number,
      state,
      link: `${stack.baseUrl}/pulls/${token}`,
      pages: repository.head(head) ? repository.pages(head) : new Set<string>(),
    })),
    base: repository.pages('main'),
    lost: played.commits.flatMap(({ branch, commit, path: file, line }) => {
      const home = repository.contains('main', commit) ? 'main' : branch;
      if (!repository.contains(home, commit))
        return [`the commit ${commit.slice(0, 7)} of a person on ${branch} is lost`];
      // The model was told to write the page, and replaced what it found: a page that a person made
      // before, or one that the job wrote again after a rewind.
      const replaced =
        played.instructions.some(({ kind, page }) => kind === 'write' && file === pagePath(page)) &&
        edits.some(edit => edit.path === file && repository.contains(edit.base, commit));
      return replaced || repository.read(home, file).includes(line)
        ? []
        : [`what a person wrote into ${file} is gone from ${home}`];
    }),
    ledger: await ledgerOf(stack, played.jobId),
    requests: requestsOf(stack, played),
  };
}

/** Every file that a tool changed, and the commit that the workspace lay on: what the model knew. */
async function editsOf(stack: JobStack, jobId: string): Promise<{ path: string; base: string }[]> {
  const { rows } = await stack.pool.query<{ path: string; base: string }>(
    `select path, after.base_commit as base
       from workspace_revisions after
       join workspace_revisions before
         on before.id = after.parent_id and before.base_commit = after.base_commit
      cross join jsonb_object_keys(after.files) as path
      where after.job_id = $1 and after.files -> path is distinct from before.files -> path`,
    [jobId],
  );
  return rows;
}

/** A call that an undone run had begun may end after the job has come to rest. */
async function settled(stack: JobStack, jobId: string): Promise<void> {
  for (let i = 0; i < 100; i++) {
    const {
      rows: [open],
    } = await stack.pool.query<{ count: number }>(
      "select count(*) from model_calls where job_id = $1 and settled_at is null and started_at > now() - interval '5 seconds'",
      [jobId],
    );
    if (open?.count === 0) return;
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}

async function ledgerOf(stack: JobStack, jobId: string): Promise<Call[]> {
  const { rows } = await stack.pool.query<Call>(
    'select request_id as id, outcome, (input_tokens + cache_read_tokens + cache_write_tokens)::int as input, output_tokens::int as output from model_calls where job_id = $1',
    [jobId],
  );
  return rows;
}

/**
 * The stand-in's own record of a job's calls, told by the page that the first instruction it read
 * names: any of its own, for the very first may have been dropped unread.
 */
function requestsOf(stack: JobStack, { instructions: [first] }: Played): Call[] {
  const ownPage = new RegExp(`\\b${first?.page.replace(/\d+$/, '')}\\d`);
  return stack.model.requests
    .filter(({ body }) => ownPage.test(instructionsIn(body.messages[0]?.content)))
    .map(({ requestId, usage, answeredAt }) => ({
      id: requestId,
      outcome: answeredAt !== null && usage ? 'answered' : 'cut',
      input: usage ? usage.input + usage.cacheRead + usage.cacheWrite : 0,
      output: usage?.output ?? 0,
    }));
}

/** Without the orientation, which lists the pages that other jobs have added. */
function instructionsIn(content: unknown): string {
  const blocks = Array.isArray(content) ? (content as { text?: string }[]) : [{ text: content }];
  return JSON.stringify(blocks.filter(({ text }) => !IS_ORIENTATION.test(String(text))));
}
