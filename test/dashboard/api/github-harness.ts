import type {
  AppManifest,
  BackFromGitHub,
  GitHubAddress,
  GitHubConnection,
  GitHubReturned,
} from '../../../api/dashboard/contract/github.ts';
import { type GitHubStandIn, startGitHub } from '../../hosts/github/stand-in.ts';
import { type Browser, startDashboard, type TestDashboard } from './harness.ts';

export interface GitHubDashboard extends TestDashboard {
  github: GitHubStandIn;
  /** What GitHub puts into the address when somebody there presses a button. */
  onGitHub(address: GitHubAddress, login?: string, button?: string): Promise<BackFromGitHub>;
  /** The same for a new App's manifest. */
  createsApp(begun: AppManifest): Promise<BackFromGitHub>;
  /** The whole way: to GitHub as that person, and back. */
  connect(browser: Browser, login?: string, organization?: string): Promise<GitHubReturned>;
  connection(browser: Browser, organization?: string): Promise<GitHubConnection>;
}

/** Settings of an environment that leaves the App to the dashboard. */
export const NO_APP = {
  GITHUB_APP_ID: '',
  GITHUB_APP_PRIVATE_KEY: '',
  GITHUB_APP_CLIENT_ID: '',
  GITHUB_APP_CLIENT_SECRET: '',
};

/** The dashboard's backend, with a GitHub and an App on it. */
export async function startGitHubDashboard(
  settings: Record<string, string> = {},
): Promise<GitHubDashboard> {
  const github = await startGitHub();
  const { people } = github.state;
  people.callbackUrl = 'http://docent.test/dashboard/-/github';
  const dashboard = await startDashboard({
    GITHUB_API_URL: github.apiUrl,
    GITHUB_APP_ID: github.appId,
    GITHUB_APP_PRIVATE_KEY: github.privateKey,
    GITHUB_APP_CLIENT_ID: people.clientId,
    GITHUB_APP_CLIENT_SECRET: people.clientSecret,
    ...settings,
  });
  const self: GitHubDashboard = {
    ...dashboard,
    github,
    async onGitHub({ url }, login = 'ada', button = 'Authorize') {
      people.signedIn = login;
      const { origin, pathname, searchParams } = new URL(url);
      const answer = await fetch(`${origin}${pathname}`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams([...searchParams, ['button', button]]),
      });
      const back = new URL(answer.headers.get('location') ?? '').searchParams;
      const [code, installation, error] = [
        back.get('code'),
        back.get('installation_id'),
        back.get('error'),
      ];
      return {
        state: back.get('state') ?? '',
        ...(code !== null && { code }),
        ...(error !== null && { error }),
        ...(installation !== null && { installationId: Number(installation) }),
      };
    },
    async createsApp({ url, manifest }) {
      const answer = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ manifest, button: 'Create GitHub App' }),
      });
      const back = new URL(answer.headers.get('location') ?? '').searchParams;
      return { state: back.get('state') ?? '', code: back.get('code') ?? '' };
    },
    async connect(browser, login, organization = 'acme') {
      const address = await browser.json<GitHubAddress>(
        'POST',
        `/organizations/${organization}/github/leave`,
        { to: 'authorize' },
      );
      return await browser.json<GitHubReturned>(
        'POST',
        `/organizations/${organization}/github/back`,
        await self.onGitHub(address, login),
      );
    },
    connection: (browser, organization = 'acme') =>
      browser.json<GitHubConnection>('GET', `/organizations/${organization}/github`),
    async close() {
      await dashboard.close();
      await github.stop();
    },
  };
  return self;
}
