import type { Anthropic } from '@anthropic-ai/sdk';
import type { Block } from '../../db/jobs/transcript.ts';

/** What one step of the agent said, to be recorded. */
export interface Reply {
  message: Pick<Anthropic.Beta.BetaMessage, 'stop_reason' | 'usage' | 'model'>;
  /** Without secrets. */
  content: Block[];
  /** The model that was asked. */
  asked: string;
}
