import type { Command } from 'commander';
import type { AutomationBody, RunBody } from '../../shared/jobs/automation-schemas.ts';
import { callJson, type Call } from '../client/http.ts';
import { type ClientOptions, projectCaller, withClientOptions } from '../client/open-client.ts';
import type { Env } from '../connect/settings.ts';
import { CommandFailure, EXIT } from '../output/failure.ts';
import { print, printTable } from '../output/terminal.ts';

interface Triggered {
  instanceId: string;
  jobId: string;
}

/** `docent automation …`: files that start jobs, over HTTP with an admin key. */
export function registerAutomation(program: Command, env: Env): void {
  const automation = program
    .command('automation')
    .description('list, run, pause and add automations');

  command(automation, 'list', 'list automations, and what came of them last').action(
    async (options: ClientOptions) => {
      const { automations } = await list(env, options);
      if (options.json) return print(JSON.stringify(automations));
      printTable(
        ['id', 'name', 'starts', 'state', 'last run'],
        automations.map(each => [
          each.id,
          each.name,
          each.trigger || '–',
          each.note === null ? each.state : `${each.state}: ${each.note}`,
          each.lastRun === null ? 'never' : outcome(each.lastRun),
        ]),
      );
    },
  );
  command(automation, 'runs <automation>', 'list the runs of one, by name or id').action(
    async (name: string, options: ClientOptions) => {
      const path = `/${await idOf(env, options, name)}/runs`;
      const { runs } = await call<{ runs: RunBody[] }>(env, options, path);
      if (options.json) return print(JSON.stringify(runs));
      printTable(
        ['began', 'cause', 'outcome', 'reason', 'pull request'],
        runs.map(run => [
          run.createdAt,
          run.about || run.cause,
          outcome(run),
          run.reason ?? '',
          run.prLink ?? '',
        ]),
      );
    },
  );
  registerActs(automation, env);
}

function registerActs(automation: Command, env: Env): void {
  command(automation, 'run <automation>', 'start a run now').action(
    async (name: string, options: ClientOptions) => {
      const path = `/${await idOf(env, options, name)}/trigger`;
      const run = await call<Triggered>(env, options, path, { method: 'POST' });
      print(options.json ? JSON.stringify(run) : `${run.instanceId} has begun, in ${run.jobId}.`);
    },
  );
  for (const verb of ['pause', 'resume'] as const)
    command(automation, `${verb} <automation>`, `${verb} one`).action(
      async (name: string, options: ClientOptions) => {
        const path = `/${await idOf(env, options, name)}/${verb}`;
        const now = await call<AutomationBody>(env, options, path, { method: 'POST' });
        print(options.json ? JSON.stringify(now) : `${now.name} is ${now.state}.`);
      },
    );
  command(automation, 'add <ready>', 'open a pull request that adds a ready-made one').action(
    async (ready: string, options: ClientOptions) => {
      const made = { method: 'POST', body: { ready } } as const;
      const { prLink } = await call<{ prLink: string }>(env, options, '', made);
      print(options.json ? JSON.stringify({ prLink }) : prLink);
    },
  );
}

function command(parent: Command, name: string, description: string): Command {
  return withClientOptions(parent.command(name).description(description));
}

function call<T>(env: Env, options: ClientOptions, path: string, request?: Call): Promise<T> {
  const { caller, projectId } = projectCaller(env, options);
  return callJson<T>(caller, `/v1/workflow/${encodeURIComponent(projectId)}${path}`, request);
}

function list(env: Env, options: ClientOptions): Promise<{ automations: AutomationBody[] }> {
  return call(env, options, '');
}

async function idOf(env: Env, options: ClientOptions, name: string): Promise<string> {
  const { automations } = await list(env, options);
  const found = automations.filter(each => each.id === name || each.name === name);
  if (found[0] && found.length === 1) return found[0].id;
  throw new CommandFailure(
    found.length === 0
      ? `There is no automation "${name}". See "docent automation list".`
      : `Several automations are called "${name}": use an id of "docent automation list".`,
    EXIT.notFound,
  );
}

function outcome({ state, outcome: ended }: RunBody): string {
  return (ended ?? state).replace('_', ' ');
}
