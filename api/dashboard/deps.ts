import type { AgentDeps } from '../agent/deps.ts';
import type { AssistantDeps } from '../assistant/deps.ts';
import type { LocalHostContext } from '../../hosts/local/context.ts';

/** What the dashboard's routes work with. */
export interface DashboardDeps extends AgentDeps {
  assistant: AssistantDeps;
  /** The built-in repository host, where this process serves it. */
  host: LocalHostContext | undefined;
  /** Where people reach us, without a trailing slash. */
  publicUrl: string;
}
