import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GitRepositories } from '../../../hosts/git/repositories.ts';
import { GitHubHost } from '../../../hosts/github/host.ts';
import { AppCredentials } from '../../../hosts/github/app.ts';
import { GitHubClient } from '../../../hosts/github/client.ts';
import { type GitHubCredentials, tokenCredentials } from '../../../hosts/github/credentials.ts';
import type { GitHubStandIn } from './stand-in.ts';

/** A worker's view of the stand-in, with an empty cache. */
export function hostWith(github: GitHubStandIn, credentials: GitHubCredentials): GitHubHost {
  const cache = mkdtempSync(join(tmpdir(), 'docent-github-cache-'));
  return new GitHubHost(
    new GitHubClient(github.apiUrl, credentials),
    new GitRepositories(cache, { name: 'Docent', email: 'docent@localhost' }),
  );
}

export function byToken(github: GitHubStandIn, token = github.personalToken()): GitHubHost {
  return hostWith(
    github,
    tokenCredentials(token, async () => 1),
  );
}

export function appOf(
  github: GitHubStandIn,
  refuseForeign: () => Promise<void> = async () => undefined,
): AppCredentials {
  return new AppCredentials({
    appId: github.appId,
    privateKey: github.privateKey,
    apiUrl: github.apiUrl,
    refuseForeign,
  });
}

export function byApp(github: GitHubStandIn): GitHubHost {
  return hostWith(github, appOf(github));
}
