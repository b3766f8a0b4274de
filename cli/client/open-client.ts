import type { Command } from 'commander';
import { type Env, localConfig } from '../connect/settings.ts';
import { CommandFailure, EXIT } from '../output/failure.ts';
import { readDemoEnv } from '../stack/demo-env.ts';
import { type Caller, parseBaseUrl } from './http.ts';
import { openJobs } from './job-client.ts';
import type { Jobs } from '../../clients/typescript/jobs.ts';

/** Options of all commands that call the API. */
export interface ClientOptions {
  baseUrl?: string;
  key?: string;
  project?: string;
  json?: boolean;
}

/** From the flags, the environment, or demo.env in the data folder, in this order. */
export function jobClient(env: Env, options: ClientOptions): Jobs {
  const { caller, projectId } = projectCaller(env, options);
  return openJobs(caller, projectId);
}

/** Adds the options that say which API, and which project. */
export function withClientOptions(command: Command): Command {
  return withOrganizationOptions(command).option(
    '--project <id>',
    "project id, prj_… (PROJECT_ID; default: the sample's)",
  );
}

/** Adds the options that say which API. */
export function withOrganizationOptions(command: Command): Command {
  return command
    .option('--base-url <url>', "the API's URL (BASE_URL; default: the running docent)")
    .option('--key <key>', "admin API key (ADMIN_KEY; default: the sample's)")
    .option('--json', "print the API's response");
}

/** As `jobClient`, for other endpoints of a project. */
export function projectCaller(
  env: Env,
  options: ClientOptions,
): { caller: Caller; projectId: string } {
  const demo = readDemoEnv(localConfig(env).DATA_DIR);
  const project = options.project ?? env['PROJECT_ID'] ?? demo.PROJECT_ID;
  const caller = organizationCaller(env, options, !project && '--project (PROJECT_ID)');
  // The agent endpoints cannot list projects, so a domain cannot be resolved.
  if (!project?.startsWith('prj_'))
    throw new CommandFailure(
      `--project (PROJECT_ID) must be a project id, prj_…; got "${project}". ` +
        'See "docent project list".',
      EXIT.usage,
    );
  return { caller, projectId: project };
}

/** The same for what is of the organization; `lacks`: an option that is missing beside. */
export function organizationCaller(
  env: Env,
  options: Pick<ClientOptions, 'baseUrl' | 'key'>,
  lacks: string | false = false,
): Caller {
  const demo = readDemoEnv(localConfig(env).DATA_DIR);
  const [baseUrl, from] = options.baseUrl
    ? [options.baseUrl, '--base-url']
    : env['BASE_URL']
      ? [env['BASE_URL'], 'BASE_URL']
      : [demo.BASE_URL, 'demo.env'];
  const key = options.key ?? env['ADMIN_KEY'] ?? demo.ADMIN_KEY;
  if (!baseUrl || !key || lacks) {
    const missing = [
      !baseUrl && '--base-url (BASE_URL)',
      !key && '--key (ADMIN_KEY)',
      lacks,
    ].filter(Boolean);
    throw new CommandFailure(
      `Missing: ${missing.join(', ')}. Set it, or run "docent start" in this folder first.`,
      EXIT.usage,
    );
  }
  if (!/^[!-~]+$/.test(key))
    throw new CommandFailure(
      '--key (ADMIN_KEY) must be printable ASCII characters without spaces.',
      EXIT.usage,
    );
  return { baseUrl: parseBaseUrl(baseUrl, from), key, from };
}
