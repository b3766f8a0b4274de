import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Role } from '../../../api/dashboard/contract/people.ts';
import { invitationLink, setupLink } from '../../../shared/links.ts';
import { createInvitation, createSetupLink } from '../../../db/people/invitations.ts';
import { transaction } from '../../../db/pool.ts';
import { ensureAccount, PASSWORD } from '../../support/account.ts';
import { launchBrowser } from '../../support/browser.ts';
import { type JobStack, startJobStack } from '../../support/job-stack.ts';

export { PASSWORD } from '../../support/account.ts';

const FILES: Record<string, string> = {
  'README.md': '# Acme\n',
  'docs/index.md':
    '---\ntitle: Welcome\ndescription: What Acme is\n---\n\n' +
    'Acme sends parcels by rocket. See [deliveries](deliveries.md).\n',
  'docs/deliveries.md':
    '---\ntitle: Deliveries\n---\n\n## Track a parcel\n\n' +
    'Open the tracking page and enter the parcel number to see where a parcel is.\n\n' +
    '## Return a parcel\n\n' +
    'A parcel can be returned within 30 days. Ask for a return label first.\n',
  'docs/billing.md': '---\ntitle: Billing\n---\n\nInvoices are sent on the first day of a month.\n',
};

export interface Ui extends JobStack {
  /** The link that makes the first owner. */
  setupLink(): Promise<string>;
  /** A browser of its own, not signed in. */
  visitor(options?: Parameters<Browser['newContext']>[0]): Promise<Visitor>;
  /** A browser in which somebody of that role is signed in. */
  signedIn(role: Role, options?: Parameters<Browser['newContext']>[0]): Promise<Visitor>;
}

export interface Visitor {
  page: Page;
  context: BrowserContext;
  /**
   * What must not happen on any page: errors of scripts, refusals of the policy, requests to other
   * hosts.
   */
  complaints: string[];
}

/** The whole product with the offline model, and a real browser. */
export async function startUi(
  options: Partial<Parameters<typeof startJobStack>[0]> = {},
): Promise<Ui> {
  const stack = await startJobStack({
    files: FILES,
    ...options,
    env: { TEMPORAL_UI_URL: 'http://127.0.0.1:8233', ...options.env },
  });
  const browser = await launchBrowser();
  let people = 0;
  const ui: Ui = {
    ...stack,
    async setupLink() {
      const made = await transaction(stack.pool, tx =>
        createSetupLink(tx, stack.project.organizationId),
      );
      if (!made) throw new Error('somebody can sign in already');
      return setupLink(stack.baseUrl, made.token);
    },
    async visitor(contextOptions = {}) {
      const context = await browser.newContext({
        baseURL: stack.baseUrl,
        viewport: { width: 1280, height: 800 },
        reducedMotion: 'reduce',
        ...contextOptions,
      });
      context.setDefaultTimeout(30_000);
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('pageerror', error => complaints.push(error.message));
      page.on('console', message => {
        if (message.type() === 'error' && !/status of \d/.test(message.text()))
          complaints.push(message.text());
      });
      page.on('request', request => {
        if (!request.url().startsWith(stack.baseUrl) && !/^(data|blob):/.test(request.url()))
          complaints.push(`a request to ${request.url()}`);
      });
      return { page, context, complaints };
    },
    async signedIn(role, contextOptions) {
      const visitor = await ui.visitor(contextOptions);
      const email = `${role}-${(people += 1)}@acme.test`;
      await ensureAccount(stack.pool, email, `${role[0]!.toUpperCase()}${role.slice(1)} Person`);
      const { token } = await transaction(stack.pool, tx =>
        createInvitation(tx, { organizationId: stack.project.organizationId, email, role }),
      );
      await visitor.page.goto(invitationLink(stack.baseUrl, token));
      await visitor.page.getByLabel('Password').fill(PASSWORD);
      await visitor.page.getByRole('button', { name: 'Join' }).click();
      await visitor.page.getByRole('heading', { level: 1, name: 'Docs' }).waitFor();
      return visitor;
    },
    async close() {
      await browser.close();
      await stack.close();
    },
  };
  return ui;
}

/** The dashboard's address of the stack's project, and below. */
export function at(path = ''): string {
  return `/dashboard/acme/acme${path}`;
}
