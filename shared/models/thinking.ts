import type Anthropic from '@anthropic-ai/sdk';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { ConfigError } from '../errors.ts';
import type { ModelFeatures } from './feature-names.ts';
import { knownModel } from './known-models.ts';

export const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
export type Effort = (typeof EFFORTS)[number];

export const EffortSchema = Type.Union(
  EFFORTS.map(effort => Type.Literal(effort)),
  { title: 'Effort', description: 'How much the model may think before it acts.' },
);

const ByModel = Type.Record(Type.String(), EffortSchema);

/** Reads MODEL_EFFORTS, JSON of efforts by model id. Throws `ConfigError`. */
export function parseEfforts(setting: string): Record<string, Effort> {
  try {
    const efforts: unknown = JSON.parse(setting);
    Value.Assert(ByModel, efforts);
    return efforts;
  } catch {
    throw new ConfigError(
      `MODEL_EFFORTS must be JSON such as {"claude-opus-5-5": "high"}, with one of ` +
        `${EFFORTS.join(', ')}; got ${JSON.stringify(setting.slice(0, 200))}.`,
    );
  }
}

/** The effort of a job: its own, else its project's, else its model's, else that of all models. */
export function jobEffort(
  config: { MODEL_EFFORT?: Effort; MODEL_EFFORTS: string },
  job: { model: string; effort: Effort | null; settings: { effort?: Effort | null } },
): Effort | undefined {
  const ofModel = parseEfforts(config.MODEL_EFFORTS)[job.model];
  return job.effort ?? job.settings.effort ?? ofModel ?? config.MODEL_EFFORT;
}

/** The part of a request that decides how much the model thinks. */
export type ThinkingParams = Pick<Anthropic.MessageCreateParams, 'thinking' | 'output_config'>;

/** Without an effort, a job thinks as its model does by default. */
export function jobThinking(features: ModelFeatures, effort: Effort | undefined): ThinkingParams {
  return features.has('thinking') && effort ? { output_config: { effort } } : {};
}

/**
 * A reader waits for the first word, so the assistant does not think before it, or little, if the
 * model lets one choose. The highest efforts need the model's own way of thinking.
 */
export function answerThinking(
  model: string,
  features: ModelFeatures,
  effort: Effort | undefined,
): ThinkingParams {
  const known = knownModel(model);
  if (!features.has('thinking') || (!known && !effort)) return {};
  if (known?.canSkipThinking && effort !== 'xhigh' && effort !== 'max')
    return { thinking: { type: 'between_tools' }, ...(effort && { output_config: { effort } }) };
  return { output_config: { effort: effort ?? 'low' } };
}
