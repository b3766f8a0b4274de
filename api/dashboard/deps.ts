import type { StoredApp } from '../../hosts/github/stored-app.ts';
import type { HostDeps } from '../../hosts/host-deps.ts';
import type { JobsDeps } from '../../jobs/deps.ts';
import type { AssistantDeps } from '../assistant/deps.ts';
import type { Reader } from '../reader/reader.ts';

/** What the dashboard's routes work with. */
export interface DashboardDeps extends JobsDeps, HostDeps {
  assistant: AssistantDeps;
  reader: Reader;
  storedApp: StoredApp;
  /** Where people reach us, without a trailing slash. */
  publicUrl: string;
}
