import { question, startAssistant, type TestAssistant } from './harness.ts';

let assistant: TestAssistant;
beforeAll(async () => {
  assistant = await startAssistant(
    () => ({ text: 'ok' }),
    { PUBLIC_URL: 'https://docent.example.com' },
    { 'docs/install.md': '# Install\n\nInstall the widget with npm.\n' },
  );
});
afterAll(() => assistant.close());

async function call(method: string, path: string, body?: object): Promise<Response> {
  return fetch(`${assistant.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${assistant.key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
}

it.each([
  ['its site', 'https://docs.acme.test', false, 'https://docs.acme.test/install'],
  ['Docent', null, true, 'https://docent.example.com/sites/acme/install'],
  ['the dashboard', null, false, 'https://docent.example.com/dashboard/acme/acme/docs/install'],
])('links lead to %s', async (_where, siteUrl, isPublic, expected) => {
  await assistant.pool.query('update projects set site_url = $1, public = $2', [siteUrl, isPublic]);
  const answer = await call('POST', '/discovery/v2/assistant/acme/message', {
    fp: 'anonymous',
    messages: [question('How do I install it?')],
  });
  expect(await answer.text()).toContain(`"url":"${expected}"`);
  const shown = await fetch(`${assistant.url}${new URL(expected).pathname}`);
  if (siteUrl === null) expect([200, 503]).toContain(shown.status); // 503: not built
});

it.each([
  '/discovery/v2/assistant/acme/message/chat_1/stream',
  '/discovery/v2/assistant/acme/message?finish=metadata/chat_1/stream',
  '/discovery/v1/assistant/acme/message?chatId=chat_1',
])('a hook that asks for %s has nothing to resume', async path => {
  const preflight = await fetch(`${assistant.url}${path}`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://docs.acme.test',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization',
    },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-methods')).toContain('GET');
  const answer = await call('GET', path);
  expect([answer.status, await answer.text()]).toEqual([204, '']);
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
});
