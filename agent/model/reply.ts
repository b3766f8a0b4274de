import type { ReportedUsage } from '../../shared/models/reported-usage.ts';
import type { WholeReply } from './whole-reply.ts';

/** What one step of the agent said, to be recorded; without secrets. */
export interface Reply extends WholeReply {
  usage: ReportedUsage;
  /** The model that answered, and the one that was asked. */
  model: string;
  asked: string;
  /** It was asked for a plan. */
  planning?: boolean;
}
