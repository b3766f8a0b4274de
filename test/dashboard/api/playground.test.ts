import type { QuestionList } from '../../../api/dashboard/contract/questions.ts';
import type { KeyList } from '../../../api/dashboard/contract/projects/projects.ts';
import type { Usage } from '../../../api/dashboard/contract/usage.ts';
import { listKeys } from '../../../db/projects/keys.ts';
import { question, read, startAssistant, type TestAssistant } from '../../api/assistant/harness.ts';
import { cite } from '../../support/replies.ts';
import { invite, PASSWORD } from './harness.ts';

let assistant: TestAssistant;
let cookies: string[];
beforeAll(async () => {
  assistant = await startAssistant(
    request =>
      JSON.stringify(request.messages.at(-1)).includes('volcano')
        ? { text: 'The docs do not say.' }
        : { text: 'Run npm.', citations: [cite(request)] },
    {
      ASSISTANT_KEY_MONTHLY_LIMIT: '3',
    },
  );
  cookies = [await join('ada@acme.test'), await join('bob@acme.test')];
});
afterAll(() => assistant.close());

async function join(email: string): Promise<string> {
  const token = await invite(assistant.pool, assistant.project.organizationId, email, 'viewer');
  const answer = await fetch(`${assistant.url}/api/dashboard/invitation/accept`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: assistant.url },
    body: JSON.stringify({ token, name: email, password: PASSWORD }),
  });
  return answer.headers.get('set-cookie')!.split(';', 1)[0]!;
}

const ask = (text: string, { threadId, who = 0 }: { threadId?: string; who?: number } = {}) =>
  fetch(`${assistant.url}/api/dashboard/projects/${assistant.project.id}/assistant`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: assistant.url, cookie: cookies[who]! },
    body: JSON.stringify({
      trigger: 'submit-message',
      messages: [question(text)],
      ...(threadId && { threadId }),
    }),
  });
const get = async <T>(path: string) =>
  (await (
    await fetch(`${assistant.url}/api/dashboard${path}`, { headers: { cookie: cookies[0]! } })
  ).json()) as T;

it('answers as the assistant’s own route does, in threads of the user’s own', async () => {
  const answer = await read(await ask('How do I install it?'));
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('Run npm.')]);
  expect(answer.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1');
  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  expect(answer.sources).toEqual([
    { url: expect.stringContaining('https://docs.acme.test/install'), title: expect.any(String) },
  ]);
  const publicly = await assistant.ask('How do I install it?', { query: '?finish=metadata' });
  expect(answer.chunks.map(({ type }) => type)).toEqual(publicly.chunks.map(({ type }) => type));
  expect((await ask('And then?', { threadId: answer.threadId, who: 1 })).status).toBe(404);
  expect((await ask('And then, volcano?', { threadId: answer.threadId })).status).toBe(200);
});

it('counts: against the limits, in the ledger, under a key that nobody holds', async () => {
  const usage = await get<Usage>('/organizations/acme/usage?days=1');
  const playground = usage.limits.keys.find(({ name }) => name === 'Playground')!;
  expect(usage.assistantModel).toBe('claude-sonnet-5-5');
  expect(playground).toMatchObject({ used: 2, limit: 3, domain: 'acme' });
  expect(usage.byKey.find(({ key }) => key?.id === playground.id)).toMatchObject({
    calls: 2,
    key: { kind: 'assistant' },
  });
  expect(usage.limits.organization.used).toBe(3);
  expect(usage.limits.address).toMatchObject({ address: '127.0.0.1', used: 3 });
  expect(
    (await get<KeyList>(`/projects/${assistant.project.id}/keys`)).keys.map(({ name }) => name),
  ).toEqual(['test']);
  expect(
    (await listKeys(assistant.pool, assistant.project.organizationId)).map(({ name }) => name),
  ).toEqual(['test']);
  expect(await (await ask('Where is it installed?')).text()).toContain('Run npm.');
  const refused = await ask('One too many?');
  expect([refused.status, ((await refused.json()) as { error: string }).error]).toEqual([
    429,
    expect.stringContaining('3 uses per month for this API key'),
  ]);
});

it('leaves its questions with those of readers, with answers and sources', async () => {
  const { questions } = await get<QuestionList>(`/projects/${assistant.project.id}/questions`);
  expect(
    questions.map(each => [each.question, each.asked, each.answered, each.sources.length]),
  ).toEqual([
    ['Where is it installed?', 3, true, 1], // twice in other words
    ['And then, volcano?', 1, false, 0],
  ]);
  expect(questions[1]).toMatchObject({
    answer: expect.stringContaining('The docs do not say.'),
    jobId: null,
  });
  expect(questions[0]!.sources[0]).toEqual({
    url: expect.stringContaining('/install'),
    title: expect.any(String),
  });
  const gaps = await get<QuestionList>(
    `/projects/${assistant.project.id}/questions?answered=false`,
  );
  expect(gaps.questions.map(({ id }) => id)).toEqual([questions[1]!.id]);
});

it('refuses what the assistant refuses', async () => {
  const empty = await fetch(
    `${assistant.url}/api/dashboard/projects/${assistant.project.id}/assistant`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: assistant.url, cookie: cookies[0]! },
      body: JSON.stringify({ messages: [] }),
    },
  );
  expect(empty.status).toBe(400);
});
