import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { checkModel } from '../../../cli/doctor/model.ts';
import { readConfig } from '../../../shared/config.ts';
import { CLOUD_SDKS, installCommand } from '../../../shared/models/cloud-clients.ts';
import { startAssistant } from '../../api/assistant/harness.ts';
import { docent } from '../../support/docent.ts';
import { startJobStack } from '../../support/job-stack.ts';
import { EDIT, FINISH } from '../../support/replies.ts';
import { type ScriptedModel, startScriptedModel } from '../../support/scripted-model.ts';
import {
  AWS,
  type Cloud,
  type Fault,
  GOOGLE_PROJECT,
  REGION,
  startBedrock,
  startVertex,
} from './clouds.ts';
import { type Endpoint, startEndpoint } from './endpoint.ts';

/** Packages are loaded outside of the test's own realm, and read the environment there. */
const { env: processEnv } = runInThisContext('process') as NodeJS.Process;
const CREDENTIALS = [
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'GOOGLE_APPLICATION_CREDENTIALS',
] as const;

interface Case {
  provider: 'bedrock' | 'vertex';
  start: (target: string) => Promise<Cloud>;
  model: string;
  env: Record<string, string>;
  /** The path of a call that streams. */
  path: string;
  busy: Fault;
}

const CASES: Case[] = [
  {
    provider: 'bedrock',
    start: startBedrock,
    model: 'eu.anthropic.claude-sonnet-5-5-v1:0',
    env: { AWS_REGION: REGION },
    path: '/model/eu.anthropic.claude-sonnet-5-5-v1:0/invoke-with-response-stream',
    busy: { exception: 'throttlingException' },
  },
  {
    provider: 'vertex',
    start: startVertex,
    model: 'claude-sonnet-5-5@20260801',
    env: { CLOUD_ML_REGION: 'europe-west1', ANTHROPIC_VERTEX_PROJECT_ID: GOOGLE_PROJECT },
    path:
      `/v1/projects/${GOOGLE_PROJECT}/locations/europe-west1/publishers/anthropic/models/` +
      'claude-sonnet-5-5@20260801:streamRawPredict',
    busy: { status: 429, body: { error: { code: 429, status: 'RESOURCE_EXHAUSTED' } } },
  },
];

describe.each(CASES)('$provider', ({ provider, start, model, env, path, busy }) => {
  const folder = mkdtempSync(join(tmpdir(), 'docent-cloud-'));
  const opened: { close(): Promise<void> }[] = [];
  const open = async <T extends { close(): Promise<void> }>(what: Promise<T>): Promise<T> => {
    opened.unshift(await what);
    return what;
  };
  const settings = (cloud: Cloud) => ({
    ...{ MODEL_PROVIDER: provider, ANTHROPIC_BASE_URL: cloud.url, ANTHROPIC_API_KEY: '' },
    ...{ MODEL_SONNET: model, MODEL_ASSISTANT: model, MODEL_FEATURES: '', ...env },
  });
  let cloud: Cloud;
  let reader: Endpoint;
  beforeAll(async () => {
    reader = await open(startEndpoint('vendor'));
    cloud = await open(start(reader.url));
    writeFileSync(join(folder, 'identity'), 'identity-of-the-test');
    const credentials = {
      type: 'external_account',
      audience: '//iam.googleapis.com/locations/global/workforcePools/pool/providers/acme',
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      token_url: `${cloud.url}/token`,
      credential_source: { file: join(folder, 'identity') },
    };
    writeFileSync(join(folder, 'google.json'), JSON.stringify(credentials));
    Object.assign(processEnv, {
      AWS_ACCESS_KEY_ID: AWS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: AWS.secretAccessKey,
      GOOGLE_APPLICATION_CREDENTIALS: join(folder, 'google.json'),
    });
  });
  afterAll(async () => {
    for (const each of opened) await each.close();
    for (const name of CREDENTIALS) delete processEnv[name];
    rmSync(folder, { recursive: true });
  });

  it('answers a reader with a citation, from search results', async () => {
    const pages = {
      'docs/uploads.md': '---\ntitle: Uploads\n---\n\nUploads over 37 megabytes are refused.\n',
    };
    const assistant = await open(startAssistant([], settings(cloud), pages));
    const answer = await assistant.ask('Are uploads over 40 megabytes refused?');
    expect(answer.text).toContain('Uploads over 37 megabytes are refused.');
    expect(answer.sources).toMatchObject([{ url: 'https://docs.acme.test/uploads' }]);
    expect(cloud.paths.at(-1)).toBe(path);
    expect(JSON.stringify(cloud.bodies.at(-1))).toContain('"search_result"');

    cloud.faults.push(busy);
    expect((await assistant.ask('Are uploads over 40 megabytes refused?')).raw).toContain(
      'is busy',
    );
  }, 60_000);

  it('carries out a job, tried again when the cloud is busy, not priced, with the configured id in every call', async () => {
    const scripted: ScriptedModel = await open(startScriptedModel([EDIT, EDIT, FINISH]));
    const jobs = await open(start(scripted.url));
    jobs.faults.push(busy);
    const stack = await open(
      startJobStack({ files: { 'docs/guide.md': PAGE }, env: settings(jobs), script: [] }),
    );
    const { id } = await stack.create('Say second in the guide');
    expect(await stack.rest(id)).toMatchObject({ status: 'completed' });
    expect(new Set(jobs.paths)).toEqual(new Set([path]));
    expect(jobs.bodies.length).toBeGreaterThanOrEqual(3);
    expect(jobs.bodies.at(-1)).toHaveProperty('context_management.edits');
    expect(jobs.betas).toEqual(['context-management-2025-06-27']);
    const { rows } = await stack.pool.query<{ outcome: string; cost: string | null }>(
      'select outcome, cost_microusd as cost from model_calls order by started_at',
    );
    expect(rows[0]!.outcome).toBe('model_rate_limited');
    expect(rows.slice(1).map(row => [row.outcome, row.cost])).toEqual(
      rows.slice(1).map(() => ['ok', null]),
    );
  }, 90_000);

  it('is checked by docent doctor: an answer, or what to check', async () => {
    const config = readConfig({ ...settings(cloud), DATA_DIR: folder });
    expect(await checkModel(config)).toMatchObject([
      {
        state: 'ok',
        says: expect.stringContaining(`${model} at ${cloud.url} answers; ${provider}`),
      },
      { name: 'model prices', says: expect.stringContaining(model) },
    ]);
    cloud.faults.push({ status: 403, body: {} });
    const [refused] = await checkModel(config);
    expect(refused).toMatchObject({
      state: 'missing',
      says: expect.stringMatching(/403.*credentials/),
    });
  });

  it('needs a region, and its SDK: the error names the command', async () => {
    const { name, version } = CLOUD_SDKS[provider];
    const pinned = JSON.parse(readFileSync('package.json', 'utf8')) as {
      devDependencies: Record<string, string>;
    };
    expect(pinned.devDependencies[name]).toBe(version);
    expect(() => readConfig({ MODEL_PROVIDER: provider })).toThrow(Object.keys(env).join(' and '));
    const { stdout } = await docent(folder, ['doctor'], {
      ...settings(cloud),
      NODE_OPTIONS: without(name),
    });
    expect(stdout.replace(/\s+/g, ' ')).toContain(installCommand(provider));
  }, 30_000);
});

const PAGE = '---\ntitle: Guide\n---\n\nThe first line.\n';

/** For NODE_OPTIONS: a package is not found. */
function without(name: string): string {
  const script = (source: string) =>
    `data:text/javascript,${encodeURIComponent(source).replaceAll("'", '%27')}`;
  const hook = script(
    `export const resolve = (name, context, next) => { if (name !== '${name}') return next(name, context);
     throw Object.assign(new Error(name), { code: 'ERR_MODULE_NOT_FOUND' }); }`,
  );
  return `--import ${script(`import { register } from 'node:module'; register('${hook}')`)}`;
}
