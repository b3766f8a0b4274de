import type { Config } from '../config.ts';
import { contextTokens } from './known-models.ts';
import { hasNativeEditor, modelEndpoint } from './model-features.ts';
import { agentModel, assistantModel, isOffline } from './model-ids.ts';

/** What came of giving a model the agent's tools and a page to edit. */
export interface EditorTrial {
  edits: boolean;
  /** Why not; a clause without a full stop. */
  says: string;
  /** Null if the answer was too short to tell. */
  tokensPerSecond: number | null;
}

/** A page of documentation, some 1,000 words. */
const PAGE_TOKENS = 1_500;

/**
 * One sentence for people on what can work with the configured models: agent, assistant or both,
 * and within which limits. `trials`: by model, null if it answers and was not given the tools. A
 * model without an entry does not answer, or nobody has tried.
 */
export function verdict(config: Config, trials: ReadonlyMap<string, EditorTrial | null>): string {
  if (isOffline(config))
    return 'Offline model: mechanical edits only, and answers that quote the docs.';
  if (hasNativeEditor(config)) return 'The agent and the assistant can work here.';
  const [agent, assistant] = [agentModel(config), assistantModel(config)];
  const trial = trials.get(agent);
  const endpoint = modelEndpoint(config);
  if (!trial && !trials.has(assistant))
    return `Nobody has tried whether agent and assistant can work with ${endpoint}: run docent doctor.`;
  const limits = limitsOf(config, agent, trial);
  const answers = trials.has(assistant);
  if (trial?.edits)
    return answers
      ? `The agent and the assistant can work with ${agent} at ${endpoint}: ${limits}.`
      : `The agent can work with ${agent} at ${endpoint} (${limits}); the assistant cannot: ${assistant} does not answer.`;
  const why = trial ? trial.says : `${agent} was not tried`;
  return answers
    ? `The assistant can work with ${assistant} at ${endpoint}; the agent cannot: ${why}.`
    : `Neither the agent nor the assistant can work with ${endpoint}: ${why}.`;
}

function limitsOf(config: Config, model: string, trial: EditorTrial | null | undefined): string {
  const window = `a window of ${contextTokens(config, model).toLocaleString('en')} tokens`;
  const speed = trial?.tokensPerSecond;
  if (!speed) return window;
  const minutes = Math.max(1, Math.round(PAGE_TOKENS / speed / 60));
  const rounded = speed < 10 ? speed.toFixed(1) : Math.round(speed);
  return `${rounded} tokens per second, so that a page takes about ${minutes} min, and ${window}`;
}
