import { tryEditor } from '../../agent/model/try-editor.ts';
import {
  readEndpointFeatures,
  saveEndpointFeatures,
  saveTrial,
} from '../../db/models/endpoint-features.ts';
import { openPool, type Pool } from '../../db/pool.ts';
import type { Config } from '../../shared/config.ts';
import { ConfigError } from '../../shared/errors.ts';
import { type CloudProvider, cloudProvider } from '../../shared/models/cloud-provider.ts';
import {
  ALL_FEATURES,
  FEATURE_NAMES,
  type ModelFeatures,
} from '../../shared/models/feature-names.ts';
import { hasModel, openModelClient } from '../../shared/models/model-client.ts';
import {
  hasNativeEditor,
  knownFeatures,
  modelEndpoint,
} from '../../shared/models/model-features.ts';
import { agentModel, assistantModel } from '../../shared/models/model-ids.ts';
import { unpricedModels } from '../../shared/models/model-prices.ts';
import { plainRefusal, type Probe, probeEndpoint } from '../../shared/models/probe-endpoint.ts';
import type { ModelClient } from '../../shared/models/messages-api.ts';
import { type EditorTrial, verdict } from '../../shared/models/verdict.ts';
import { redact } from '../../shared/secrets/redact.ts';
import { findRunning } from '../stack/running.ts';
import type { Finding } from './finding.ts';

const TIMEOUT_MS = 120_000;
/** A slow server reads 5,000 tokens and writes a hundred. */
const TRIAL_MS = 600_000;
const TOO_SLOW =
  'it does not end an edit within 10 minutes: its answers are too slow, or never end';

/**
 * The model: what its endpoint supports, and whether agent and assistant can work with it. An
 * endpoint that is not the vendor's is asked, with a few small calls per model and an edit with the
 * agent's tools, and the answer is stored for API and workers.
 */
export async function checkModel(config: Config): Promise<Finding[]> {
  return [...(await checkEndpoint(config)), ...checkPrices(config)];
}

function checkPrices(config: Config): Finding[] {
  const models = hasModel(config)
    ? [agentModel(config, 'sonnet'), agentModel(config, 'opus'), assistantModel(config)]
    : [];
  const unpriced = unpricedModels(config, models);
  if (unpriced.length === 0) return [];
  const says = `no price for ${unpriced.join(', ')}: cost limits cannot count them; set MODEL_PRICES`;
  return [{ name: 'model prices', state: 'note', says }];
}

async function checkEndpoint(config: Config): Promise<Finding[]> {
  const name = 'model';
  if (config.MODEL_PROVIDER === 'offline')
    return [{ name, state: 'ok', says: 'offline, set in MODEL_PROVIDER' }];
  if (!hasModel(config))
    return [
      {
        name,
        state: 'note',
        says: 'no ANTHROPIC_API_KEY: "docent start" uses the rule-based offline model',
      },
    ];
  const known = knownFeatures(config);
  const cloud = cloudProvider(config);
  if (cloud) return await checkCloudModels(config, cloud, known ?? ALL_FEATURES);
  if (hasNativeEditor(config)) {
    const set = config.ANTHROPIC_API_KEY ? 'ANTHROPIC_API_KEY' : 'ANTHROPIC_AUTH_TOKEN';
    return [{ name, state: 'ok', says: `${set} is set. ${verdict(config, new Map())}` }];
  }
  return await probeAll(config);
}

/** A cloud's features are known; whether its credentials, region and model ids are right is asked. */
async function checkCloudModels(
  config: Config,
  cloud: CloudProvider,
  known: ModelFeatures,
): Promise<Finding[]> {
  const name = 'model';
  const findings: Finding[] = [];
  try {
    const client = await openModelClient(config, { timeout: TIMEOUT_MS });
    for (const model of new Set([agentModel(config), assistantModel(config)])) {
      const at = `${model} at ${modelEndpoint(config)}`;
      const refusal = await plainRefusal(client, model).catch(
        (error: Error) => `cannot be reached (${redact(error.message)})`,
      );
      findings.push(
        refusal === null
          ? { name, state: 'ok', says: `${at} answers; ${cloud} supports ${listed(known)}` }
          : {
              name,
              state: 'missing',
              says: `${at}: a plain question ${refusal}; check ${CHECK[cloud]}`,
            },
      );
    }
    return findings;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [{ name, state: 'missing', says: error.message }];
  }
}

const MODEL_IDS = 'the models’ ids (MODEL_SONNET, MODEL_OPUS, MODEL_ASSISTANT)';
const CHECK = {
  bedrock: `AWS credentials, AWS_REGION, access to the models, and ${MODEL_IDS}`,
  vertex: `Google credentials, CLOUD_ML_REGION, ANTHROPIC_VERTEX_PROJECT_ID, and ${MODEL_IDS}`,
} as const;

type Trials = Map<string, EditorTrial | null>;

async function probeAll(config: Config): Promise<Finding[]> {
  const connectionString = config.DATABASE_URL ?? findRunning(config.DATA_DIR)?.databaseUrl;
  const pool = connectionString ? openPool({ connectionString, max: 2 }) : undefined;
  const models = new Set([agentModel(config), assistantModel(config)]);
  const trials: Trials = new Map();
  const findings: Finding[] = [];
  try {
    for (const model of models) findings.push(await probeModel(config, model, pool, trials));
  } finally {
    await pool?.end();
  }
  const trial = trials.get(agentModel(config));
  const works = trial?.edits === true && trials.has(assistantModel(config));
  const state = works ? 'ok' : trials.size > 0 ? 'note' : 'missing';
  return [...findings, { name: 'model for', state, says: verdict(config, trials) }];
}

/** Asks for features, and has the agent's model edit a page; what came of it goes to `trials`. */
async function probeModel(
  config: Config,
  model: string,
  pool: Pool | undefined,
  trials: Trials,
): Promise<Finding> {
  const at = `${model} at ${modelEndpoint(config)}`;
  const client = await openModelClient(config, { timeout: TIMEOUT_MS });
  const unreachable = (error: Error) => `cannot be reached (${redact(error.message)})`;
  const set = config.MODEL_FEATURES === undefined ? undefined : knownFeatures(config);
  const probe = await (set ? askPlainly(client, model) : probeEndpoint(client, model)).catch(
    (error: Error): Probe => ({ refusal: unreachable(error) }),
  );
  if (probe.refusal !== null)
    return {
      name: 'model',
      state: 'missing',
      says:
        `${at}: a plain question ${probe.refusal}; ` +
        'check ANTHROPIC_BASE_URL, the key or token, and the model’s name (MODEL_SONNET, ' +
        'MODEL_OPUS, MODEL_ASSISTANT)',
    };
  const features: ModelFeatures =
    set ?? new Set(probe.results.filter(each => each.works).map(each => each.feature));
  const options = { model, hasNativeEditor: hasNativeEditor(config) };
  const signal = AbortSignal.timeout(TRIAL_MS);
  const trial =
    model === agentModel(config)
      ? await tryEditor(client, { ...options, signal }).catch((error: Error) => ({
          edits: false,
          says: signal.aborted ? TOO_SLOW : unreachable(error),
          tokensPerSecond: null,
        }))
      : null;
  trials.set(model, trial);
  const stored = await store(pool, { config, model, features, trial });
  const details = set
    ? `${listed(set)}, set in MODEL_FEATURES`
    : probe.results.map(({ feature, says }) => `${feature}: ${says}`).join('; ');
  const tools = trial ? `; the agent’s tools: ${trial.says}` : '';
  return { name: 'model', state: 'ok', says: `${at} answers. ${details}${tools}. ${stored}` };
}

async function askPlainly(client: ModelClient, model: string): Promise<Probe> {
  const refusal = await plainRefusal(client, model);
  return refusal === null ? { refusal, results: [] } : { refusal };
}

interface Found {
  config: Config;
  model: string;
  features: ModelFeatures;
  trial: EditorTrial | null;
}

async function store(
  pool: Pool | undefined,
  { config, model, features, trial }: Found,
): Promise<string> {
  const endpoint = modelEndpoint(config);
  const setting = `MODEL_FEATURES=${[...features].join(',') || 'none'}`;
  if (!pool) return `Run this again while Docent runs, to store it, or set ${setting}`;
  try {
    const before = await readEndpointFeatures(pool, endpoint, model);
    await saveTrial(pool, endpoint, model, features, trial);
    if (config.MODEL_FEATURES === undefined)
      await saveEndpointFeatures(pool, endpoint, model, features);
    const isNews = !before || FEATURE_NAMES.some(name => before.has(name) !== features.has(name));
    return isNews ? 'Stored: used within half a minute' : 'As stored before';
  } catch {
    return `Not stored, the database does not answer: set ${setting}`;
  }
}

function listed(features: ModelFeatures): string {
  return [...features].join(', ') || 'none';
}
