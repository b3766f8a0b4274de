import { type Command, InvalidArgumentError, Option } from 'commander';
import { setTimeout as delay } from 'node:timers/promises';
import { WEBHOOK_EVENTS } from '../../shared/webhooks/events.ts';
import type { DeliveryBody, EndpointBody } from '../../shared/webhooks/schemas.ts';
import { type Call, callApi, callJson } from '../client/http.ts';
import {
  type ClientOptions,
  organizationCaller,
  withOrganizationOptions,
} from '../client/open-client.ts';
import type { Env } from '../connect/settings.ts';
import { CommandFailure, EXIT } from '../output/failure.ts';
import { print, printTable } from '../output/terminal.ts';

interface Made {
  webhook: EndpointBody;
  secret: string;
}
interface AddOptions extends ClientOptions {
  event: string[];
  only?: string;
}

/** How long `test` waits for what comes of the first attempt. */
const TEST_MS = 30_000;
const LOOK_MS = 500;

/** `docent webhook …`: where events are sent, over HTTP with an admin key. */
export function registerWebhook(program: Command, env: Env): void {
  const webhook = program.command('webhook').description('send events to addresses of yours');
  registerChanges(webhook, env);
  registerDeliveries(webhook, env);
}

function registerChanges(webhook: Command, env: Env): void {
  command(webhook, 'add <url>', 'add a webhook and print its secret once')
    .addOption(
      new Option('--event <type...>', 'what is sent').choices(WEBHOOK_EVENTS).makeOptionMandatory(),
    )
    .option('--only <project>', 'events of this project only, prj_…')
    .action(async (url: string, options: AddOptions) => {
      const { event: events, only: projectId } = options;
      const body = { url, events, ...(projectId !== undefined && { projectId }) };
      printMade(options, await call<Made>(env, options, '', { method: 'POST', body }));
    });
  command(webhook, 'list', 'list webhooks, oldest first').action(async (options: ClientOptions) => {
    const { webhooks } = await call<{ webhooks: EndpointBody[] }>(env, options, '');
    if (options.json) return print(JSON.stringify(webhooks));
    printTable(
      ['id', 'address', 'events', 'project', 'state'],
      webhooks.map(each => [
        each.id,
        each.url,
        each.events.join(' '),
        each.projectId ?? 'all',
        stateOf(each),
      ]),
    );
  });
  command(webhook, 'rotate <webhook>', 'print a new secret; both sign for a while')
    .option('--grace-hours <hours>', 'so long the old one signs as well', hours, 24)
    .action(async (id: string, options: ClientOptions & { graceHours: number }) => {
      const body = { graceHours: options.graceHours };
      const made = await call<Made>(env, options, at(id, '/rotate'), { method: 'POST', body });
      printMade(options, made);
    });
  for (const verb of ['disable', 'enable'] as const)
    command(webhook, `${verb} <webhook>`, `${verb} a webhook`).action(
      async (id: string, options: ClientOptions) => {
        const body = { enabled: verb === 'enable' };
        const now = await call<EndpointBody>(env, options, at(id), { method: 'PATCH', body });
        print(options.json ? JSON.stringify(now) : `${now.id} is ${now.state}.`);
      },
    );
  command(webhook, 'remove <webhook>', 'remove a webhook and its deliveries').action(
    async (id: string, options: ClientOptions) => {
      const caller = organizationCaller(env, options);
      await callApi(caller, pathOf(at(id)), { method: 'DELETE', accept: '' });
      print(options.json ? JSON.stringify({ id }) : `${id} is removed.`);
    },
  );
}

function registerDeliveries(webhook: Command, env: Env): void {
  const listOf = async (id: string, options: ClientOptions) =>
    (await call<{ deliveries: DeliveryBody[] }>(env, options, at(id, '/deliveries?limit=100')))
      .deliveries;
  command(webhook, 'test <webhook>', 'send a test, and print the outcome').action(
    async (id: string, options: ClientOptions) => {
      const sent = await call<{ id: string }>(env, options, at(id, '/test'), {
        method: 'POST',
        body: {},
      });
      for (const end = Date.now() + TEST_MS; Date.now() < end; await delay(LOOK_MS)) {
        const found = (await listOf(id, options)).find(each => each.id === sent.id);
        if (!found || found.answer === null) continue;
        if (options.json) print(JSON.stringify(found));
        else print(`${found.state}: ${found.answer}`);
        if (found.state === 'delivered') return;
        throw new CommandFailure('The test was not delivered.', EXIT.failed);
      }
      throw new CommandFailure(`${sent.id} has no answer yet.`, EXIT.failed);
    },
  );
  command(webhook, 'deliveries <webhook>', 'list deliveries, newest first').action(
    async (id: string, options: ClientOptions) => {
      const deliveries = await listOf(id, options);
      if (options.json) return print(JSON.stringify(deliveries));
      printTable(
        ['event', 'type', 'happened', 'state', 'attempts', 'answer'],
        deliveries.map(each => [
          each.id,
          each.type,
          each.createdAt,
          each.state,
          String(each.attempts),
          each.answer ?? '',
        ]),
      );
    },
  );
  command(webhook, 'resend <webhook> [event]', 'send one again, or all that failed').action(
    async (id: string, event: string | undefined, options: ClientOptions) => {
      const body = event === undefined ? {} : { event };
      const sent = await call<{ deliveries: number }>(env, options, at(id, '/resend'), {
        method: 'POST',
        body,
      });
      print(options.json ? JSON.stringify(sent) : `Sent again: ${sent.deliveries}.`);
    },
  );
}

function command(parent: Command, name: string, description: string): Command {
  return withOrganizationOptions(parent.command(name).description(description));
}

function call<T>(env: Env, options: ClientOptions, path: string, request?: Call): Promise<T> {
  return callJson<T>(organizationCaller(env, options), pathOf(path), request);
}

function at(id: string, rest = ''): string {
  return `/${encodeURIComponent(id)}${rest}`;
}

function pathOf(path: string): string {
  return `/v1/webhooks${path}`;
}

/** The secret alone on stdout, so that a script can keep it. */
function printMade(options: ClientOptions, made: Made): void {
  if (options.json) return print(JSON.stringify(made));
  console.error(`${made.webhook.id}: save the secret now, it is not shown again.`);
  print(made.secret);
}

function stateOf({ state, note, failingSince }: EndpointBody): string {
  if (note !== null) return `${state}: ${note}`;
  return failingSince === null ? state : `${state}, failing since ${failingSince}`;
}

function hours(value: string): number {
  if (!/^\d{1,3}$/.test(value))
    throw new InvalidArgumentError('It must be a number of hours, up to 720.');
  return Number(value);
}
