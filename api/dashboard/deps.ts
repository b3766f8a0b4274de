import type { HostDeps } from '../../hosts/host-deps.ts';
import type { AgentDeps } from '../agent/deps.ts';
import type { AssistantService } from '../assistant/deps.ts';

/** What the dashboard's routes work with. */
export interface DashboardDeps extends AgentDeps, HostDeps {
  assistant: AssistantService;
  /** Where people reach us, without a trailing slash. */
  publicUrl: string;
}
