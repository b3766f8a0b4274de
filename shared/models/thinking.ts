import type Anthropic from '@anthropic-ai/sdk';
import type { ModelFeatures } from './feature-names.ts';
import { knownModel } from './known-models.ts';

export type Effort = 'low' | 'medium' | 'high' | 'xhigh' | 'max';

/** The part of a request that decides how much the model thinks. */
export type ThinkingParams = Pick<Anthropic.MessageCreateParams, 'thinking' | 'output_config'>;

/** A job may think as its model does by default, unless MODEL_EFFORT says otherwise. */
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
