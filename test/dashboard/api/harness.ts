import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  InjectOptions,
  LightMyRequestResponse,
} from 'fastify';
import type { InvitationMade, Role, Session } from '../../../api/dashboard/contract/people.ts';
import { createInvitation } from '../../../db/people/invitations.ts';
import { type Pool, transaction } from '../../../db/pool.ts';
import { startApi, type TestApi } from '../../api/harness.ts';
import { ensureAccount, PASSWORD } from '../../support/account.ts';

export { PASSWORD } from '../../support/account.ts';
export const ORIGIN = 'http://docent.test';

export interface CallOptions {
  body?: unknown;
  headers?: Record<string, string>;
  remoteAddress?: string;
}

/** A browser: keeps its cookies, names its origin. */
export class Browser {
  readonly #app: FastifyInstance;
  /** The session's. */
  cookie: string | undefined;
  /** The one of a sign-in through a provider. */
  signOnCookie: string | undefined;

  constructor(app: FastifyInstance) {
    this.#app = app;
  }

  async call(
    method: InjectOptions['method'],
    path: string,
    { body, headers = {}, remoteAddress }: CallOptions = {},
  ): Promise<LightMyRequestResponse> {
    const cookies = [this.cookie, this.signOnCookie].filter(each => each !== undefined);
    const response = await this.#app.inject({
      method: method!,
      url: `/api/dashboard${path}`,
      headers: {
        host: 'docent.test',
        origin: ORIGIN,
        'sec-fetch-site': 'same-origin',
        ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
        ...headers,
      },
      ...(body !== undefined && { payload: body as object }),
      ...(remoteAddress !== undefined && { remoteAddress }),
    });
    const set = response.headers['set-cookie'];
    if (typeof set === 'string')
      this[/^(__Host-)?docent-sign-on=/.test(set) ? 'signOnCookie' : 'cookie'] = set.split(
        ';',
        1,
      )[0];
    return response;
  }

  /** The JSON of an answer that must be a success. */
  async json<T>(method: InjectOptions['method'], path: string, body?: unknown): Promise<T> {
    const response = await this.call(method, path, { body });
    if (response.statusCode >= 300)
      throw new Error(`${method} ${path}: ${response.statusCode} ${response.body}`);
    return response.json<T>();
  }
}

export interface TestDashboard extends TestApi {
  browser(): Browser;
  /**
   * Somebody who has accepted an invitation to an organization (the tenant's, unless named) and is
   * signed in.
   */
  signIn(email: string, role: Role, organizationId?: string): Promise<Browser>;
}

/** The API with the built-in repository host in a folder of its own; two tenants. */
export async function startDashboard(
  settings: Record<string, string> = {},
  logger?: FastifyBaseLogger,
): Promise<TestDashboard> {
  const dataDir = mkdtempSync(join(tmpdir(), 'docent-dashboard-'));
  const api = await startApi(
    { DATA_DIR: dataDir, LOCAL_HOST_TOKEN: 'local-host-token-of-the-tests', ...settings },
    logger,
  );
  const browser = () => new Browser(api.app);
  return {
    ...api,
    browser,
    async signIn(email, role, organizationId = api.tenant.organizationId) {
      await ensureAccount(api.pool, email, email.split('@')[0] ?? email);
      const someone = browser();
      await someone.json<Session>('POST', '/invitation/accept', {
        token: await invite(api.pool, organizationId, email, role),
        password: PASSWORD,
      });
      return someone;
    },
    async close() {
      await api.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export async function invite(
  pool: Pool,
  organizationId: string,
  email: string,
  role: Role,
): Promise<string> {
  return (await transaction(pool, tx => createInvitation(tx, { organizationId, email, role })))
    .token;
}

export function tokenOf({ link }: Pick<InvitationMade, 'link'>): string {
  return new URL(link).hash.slice(1);
}
