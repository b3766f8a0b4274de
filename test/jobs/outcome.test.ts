import { type JobStack, startJobStack } from '../support/job-stack.ts';

interface Listed {
  jobs: { id: string; outcome: string | null }[];
}
interface Conversation {
  outcome: { result: string; sentence: string } | null;
}

const ASKED = {
  published: 'Add a page docs/support.md titled "Support" with the text "Write to us."',
  answered: 'What do you think of these docs?',
};

let stack: JobStack;
beforeAll(async () => {
  stack = await startJobStack({ files: { 'docs/index.md': '# Acme\n\nAcme waters plants.\n' } });
}, 60_000);
afterAll(() => stack?.close());

async function get<T>(path: string): Promise<T> {
  const response = await fetch(`${stack.baseUrl}/v2/agent/${stack.project.id}${path}`, {
    headers: { authorization: `Bearer ${stack.adminKey}` },
  });
  return (await response.json()) as T;
}

it('says what came of a job in its conversation and in lists, which can be filtered by it', async () => {
  const ids: Record<string, string> = {};
  for (const [result, prompt] of Object.entries(ASKED)) {
    const { id } = await stack.create(prompt);
    ids[result] = id;
    await stack.rest(id);
    const { outcome } = await get<Conversation>(`/job/${id}/messages`);
    expect(outcome).toEqual({ result, sentence: expect.stringMatching(/\S/) as string });
    const job = await get<object>(`/job/${id}`);
    expect(Object.keys(job)).not.toContain('outcome');
  }
  const { jobs } = await get<Listed>('/jobs');
  expect(jobs.map(({ id, outcome }) => [id, outcome])).toEqual([
    [ids['answered'], 'answered'],
    [ids['published'], 'published'],
  ]);
  for (const result of Object.keys(ASKED)) {
    const found = await get<Listed>(`/jobs?outcome=${result}`);
    expect(found.jobs.map(({ id }) => id)).toEqual([ids[result]]);
  }
  expect(await get<object>('/jobs?outcome=failed')).toEqual({ jobs: [], nextCursor: null });
});
