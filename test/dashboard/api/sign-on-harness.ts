import { PassThrough } from 'node:stream';
import type { LightMyRequestResponse } from 'fastify';
import type { SignOnBegun } from '../../../api/dashboard/contract/people.ts';
import { createLogger } from '../../../shared/logger.ts';
import { OidcProvider, type Person } from '../oidc-provider.ts';
import { type Browser, invite, ORIGIN, startDashboard, type TestDashboard } from './harness.ts';

export const STALE = `This sign-in was already used, has expired, or started in another browser. Start again at ${ORIGIN}/dashboard.`;

export interface SignOnStack {
  provider: OidcProvider;
  dashboard: TestDashboard;
  /** Everything that was logged. */
  log(): string;
  /** Somebody at the provider, whom Docent need not know. */
  somebody(claims?: Partial<Person>): Person & { email: string };
  invited(email: string, role?: 'viewer' | 'member', organizationId?: string): Promise<string>;
  begin(browser?: Browser): Promise<{ browser: Browser; url: string }>;
  /** What a browser has brought back from the provider. */
  finish(browser: Browser, query: string): Promise<LightMyRequestResponse>;
  /** A whole way through the provider, up to Docent's answer; `null` turns back there. */
  signOn(email: string | null, browser?: Browser): Promise<LightMyRequestResponse>;
  close(): Promise<void>;
}

export async function startSignOn(): Promise<SignOnStack> {
  const provider = await new OidcProvider().start();
  let log = '';
  const lines = new PassThrough().on('data', chunk => {
    log += String(chunk);
  });
  const dashboard = await startDashboard(provider.settings, createLogger('debug', lines));
  let people = 0;
  const stack: SignOnStack = {
    provider,
    dashboard,
    log: () => log,
    somebody(claims = {}) {
      people += 1;
      const person = {
        sub: `sub-${people}`,
        email: `person-${people}@acme.test`,
        email_verified: true,
        name: `Person ${people}`,
        ...claims,
      };
      provider.people.set(person.email, person);
      return person;
    },
    invited: (email, role = 'member', organizationId = dashboard.tenant.organizationId) =>
      invite(dashboard.pool, organizationId, email, role),
    begin: async (browser = dashboard.browser()) => ({
      browser,
      url: (await browser.json<SignOnBegun>('POST', '/sign-on')).url,
    }),
    finish: (browser, query) => browser.call('POST', '/sign-on/callback', { body: { query } }),
    async signOn(email, browser = dashboard.browser()) {
      const { url } = await stack.begin(browser);
      return stack.finish(browser, await provider.visit(url, email));
    },
    async close() {
      await dashboard.close();
      await provider.stop();
    },
  };
  return stack;
}

export const refused = (answer: LightMyRequestResponse) => [
  answer.statusCode,
  answer.json<{ error?: string }>().error,
];
