import { readConfig } from '../../../shared/config.ts';
import { readEndpointFeatures } from '../../../db/models/endpoint-features.ts';
import { openModelClient } from '../../../shared/models/model-client.ts';
import { probeEndpoint } from '../../../shared/models/probe-endpoint.ts';
import { startAssistant, type TestAssistant } from '../../api/assistant/harness.ts';
import { type Dialect, type Endpoint, startEndpoint } from './endpoint.ts';

/** Ten facts, each on a page of its own. */
const FACTS: [page: string, fact: string, question: string][] = [
  [
    'uploads',
    'Uploads larger than 37 megabytes are refused',
    'Are uploads larger than mine refused?',
  ],
  ['sessions', 'Sessions expire after nineteen idle minutes', 'When do idle sessions expire?'],
  ['backups', 'Backups leave the northern bunker on Tuesdays', 'When do backups leave the bunker?'],
  ['colours', 'Themes accept fourteen named colours', 'How many named colours do themes accept?'],
  ['webhooks', 'Webhooks retry deliveries eleven times', 'How often do webhooks retry deliveries?'],
  ['exports', 'Exports contain archived invoices too', 'Do exports contain archived invoices?'],
  ['quotas', 'Quotas reset every second Thursday', 'When do quotas reset every second week?'],
  ['regions', 'Regions share nothing except billing', 'What do regions share except names?'],
  ['tokens', 'Tokens begin with the letters grn', 'With what letters do tokens begin?'],
  ['plugins', 'Plugins load after the second restart', 'When do plugins load after a restart?'],
];
const UNKNOWN = [
  'Who founded the company in Ghent?',
  'Does the mascot wear trousers?',
  'Which orchestra recorded the jingle?',
  'Is there a branch office on Jupiter?',
  'How tall is the lighthouse keeper?',
  'What did the auditors eat yesterday?',
  'Why was the penguin documentary cancelled?',
  'Which tram stops near the museum?',
  'Where are the spare umbrellas kept?',
  'Whose bicycle blocks the corridor?',
];
const PAGES = Object.fromEntries(
  FACTS.map(([page, fact]) => [`docs/${page}.md`, `---\ntitle: ${page}\n---\n\n${fact}.\n`]),
);

describe.each<Dialect>(['vendor', 'vllm', 'ollama'])(
  'an endpoint that treats unknown blocks as %s does',
  dialect => {
    let endpoint: Endpoint;
    let assistant: TestAssistant;
    beforeAll(async () => {
      endpoint = await startEndpoint(dialect);
      assistant = await startAssistant(
        [],
        {
          ANTHROPIC_BASE_URL: endpoint.url,
          ...(dialect === 'vendor' ? {} : { MODEL_FEATURES: '' }),
        },
        PAGES,
      );
    });
    afterAll(async () => {
      await assistant?.close();
      await endpoint?.close();
    });

    it.each(FACTS)('answers from %s.md and cites it', async (page, fact, question) => {
      const answer = await assistant.ask(question);
      expect(answer.text).toContain(`${fact}.`);
      expect(answer.text).not.toMatch(/\[\d/);
      expect(answer.sources.map(source => source.url)).toEqual([`https://docs.acme.test/${page}`]);
    });

    it.each(UNKNOWN)('says that the docs do not cover: %s', async question => {
      const answer = await assistant.ask(question);
      expect(answer.text).toContain('does not cover that');
      expect(answer.sources).toEqual([]);
    });

    it('records the first ten as answered, and the others not', async () => {
      const { rows } = await assistant.pool.query<{ answered: boolean; n: number }>(
        'select answered, count(*) as n from questions group by 1 order by 1',
      );
      expect(rows).toEqual([
        { answered: false, n: 10 },
        { answered: true, n: 10 },
      ]);
    });

    it('is probed: what it cites is found out', async () => {
      const config = readConfig({ ANTHROPIC_BASE_URL: endpoint.url, ANTHROPIC_API_KEY: 'k' });
      const probe = await probeEndpoint(await openModelClient(config), 'any-model');
      expect(probe.refusal).toBeNull();
      const works = probe.refusal === null ? probe.results.filter(each => each.works) : [];
      expect(works.map(each => each.feature).includes('citations')).toBe(dialect === 'vendor');
    });
  },
);

it('sends the token of ANTHROPIC_AUTH_TOKEN as a bearer, and no key; accepts /v1 in the address', async () => {
  const endpoint = await startEndpoint('ollama');
  const assistant = await startAssistant(
    [],
    {
      ANTHROPIC_BASE_URL: `${endpoint.url}/v1/`,
      ANTHROPIC_API_KEY: '',
      ANTHROPIC_AUTH_TOKEN: 'token-of-the-gateway',
      MODEL_FEATURES: '',
    },
    PAGES,
  );
  try {
    expect((await assistant.ask('When do idle sessions expire?')).sources).toHaveLength(1);
    expect(endpoint.authenticated).toEqual({
      key: undefined,
      authorization: 'Bearer token-of-the-gateway',
    });
    expect(await readEndpointFeatures(assistant.pool, endpoint.url, 'm')).toBeUndefined();
  } finally {
    await assistant.close();
    await endpoint.close();
  }
});
