import type { Command } from 'commander';
import { ConfigError } from '../../shared/errors.ts';
import type { LocalPullRequest } from '../../hosts/local/schemas.ts';
import { callJson, type Caller } from '../client/http.ts';
import { connectedConfig, type Env } from '../connect/settings.ts';
import { print, printTable } from '../output/terminal.ts';

/** `docent pr …`: pull requests of the built-in repository host, over HTTP with its token. */
export function registerPullRequest(program: Command, env: Env): void {
  const pr = program
    .command('pr')
    .description('manage pull requests of the built-in repository host');

  pr.command('list [repository]')
    .description('list pull requests, newest first')
    .action(async (repository = 'sample') => {
      const pulls = await callJson<LocalPullRequest[]>(hostOf(env), pathOf(repository));
      printTable(
        ['number', 'state', 'title', 'URL'],
        pulls.map(each => [String(each.number), each.state, each.title, each.url]),
      );
    });
  const one = (name: string, description: string) =>
    pr.command(`${name} <number> [repository]`).description(description);
  one('show', 'show a pull request').action(async (number: string, repository = 'sample') => {
    const pull = await callJson<LocalPullRequest>(
      hostOf(env),
      `${pathOf(repository)}/${encodeURIComponent(number)}`,
    );
    print(
      `#${pull.number} ${pull.title} (${pull.state}${pull.draft ? ', draft' : ''})\n` +
        `${pull.head} -> ${pull.base}\n${pull.url}\n\n${pull.body}`,
    );
  });
  for (const verb of ['merge', 'close'] as const) {
    one(verb, `${verb} a pull request`).action(async (number: string, repository = 'sample') => {
      const pull = await callJson<LocalPullRequest>(
        hostOf(env),
        `${pathOf(repository)}/${encodeURIComponent(number)}/${verb}`,
        { method: 'POST' },
      );
      print(`#${pull.number} is ${pull.state}.`);
    });
  }
}

function pathOf(repository: string): string {
  return `/git/${encodeURIComponent(repository)}/pulls`;
}

function hostOf(env: Env): Caller {
  const config = connectedConfig(env);
  if (!config.LOCAL_HOST_URL || !config.LOCAL_HOST_TOKEN)
    throw new ConfigError('LOCAL_HOST_URL and LOCAL_HOST_TOKEN are not set.');
  return { baseUrl: config.LOCAL_HOST_URL, key: config.LOCAL_HOST_TOKEN };
}
