import * as github from '../github.ts';
import type { RouteEntry } from './route-entry.ts';

/** An organization's accounts on GitHub, and their repositories. */
export const GITHUB_ROUTES = {
  'GET /organizations/:organization/github': { who: 'owner', answer: github.GitHubConnection },
  /** The browser goes to GitHub with the manifest in the answer, and comes back to .../github/back. */
  'POST /organizations/:organization/github/app': {
    who: 'owner',
    body: github.NewApp,
    answer: github.AppManifest,
  },
  'DELETE /organizations/:organization/github/app/:appId': {
    who: 'owner',
    params: github.AppParams,
    answer: github.GitHubConnection,
  },
  /** The browser goes to the address in the answer, and comes back to /dashboard/-/github. */
  'POST /organizations/:organization/github/leave': {
    who: 'owner',
    body: github.LeaveForGitHub,
    answer: github.GitHubAddress,
  },
  'POST /organizations/:organization/github/back': {
    who: 'owner',
    body: github.BackFromGitHub,
    answer: github.GitHubReturned,
  },
  /** Connects one of the installations shown. */
  'POST /organizations/:organization/github/installations/:id': {
    who: 'owner',
    params: github.InstallationParams,
    answer: github.GitHubConnection,
  },
  'DELETE /organizations/:organization/github/installations/:id': {
    who: 'owner',
    params: github.InstallationParams,
    answer: github.GitHubConnection,
  },
  'GET /organizations/:organization/github/repositories': {
    who: 'owner',
    query: github.GitHubRepositoryQuery,
    answer: github.GitHubRepositoryList,
  },
  'GET /organizations/:organization/github/repository': {
    who: 'owner',
    query: github.InspectQuery,
    answer: github.RepositoryInspection,
  },
  /** Of a project on GitHub. A check costs several of GitHub's requests: not for viewers. */
  'GET /projects/:projectId/repository': { who: 'member', answer: github.RepositoryHealth },
} satisfies Record<string, RouteEntry>;
