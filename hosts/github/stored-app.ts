import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { Config } from '../../shared/config.ts';
import { findGitHubApp, storeGitHubApp } from '../../shared/db/github/app.ts';
import type { Pool, Queryable } from '../../shared/db/pool.ts';
import { ConfigError } from '../../shared/errors.ts';
import { seal, unseal } from '../../shared/secrets/sealed.ts';

/** How soon a process uses an App that was created through another one. */
const READ_EVERY_MS = 5_000;

const Secrets = Type.Object({
  privateKey: Type.String(),
  clientId: Type.String(),
  clientSecret: Type.String(),
  /** Null: GitHub cannot reach this installation, so the App has no webhook. */
  webhookSecret: Type.Union([Type.String(), Type.Null()]),
});

/** An App as GitHub hands it out. */
export interface CreatedApp extends Static<typeof Secrets> {
  appId: string;
}

type AppConfig = Pick<
  Config,
  | 'ENCRYPTION_KEY'
  | 'GITHUB_TOKEN'
  | 'GITHUB_APP_ID'
  | 'GITHUB_APP_PRIVATE_KEY'
  | 'GITHUB_APP_CLIENT_ID'
  | 'GITHUB_APP_CLIENT_SECRET'
  | 'GITHUB_WEBHOOK_SECRET'
>;

/**
 * The App of the database, which a process uses if its environment names neither an App nor a
 * token. These are the only settings that change while a process runs: whatever reads them from the
 * process's `config` uses the App that was created last.
 */
export class StoredApp {
  readonly #config: AppConfig;
  readonly #pool: Pool;
  #sealed: Buffer | undefined;
  /** The environment leaves GitHub to the database. */
  readonly isUsed: boolean;
  /** Why what is stored cannot be used: one sentence; null: it can, or there is nothing. */
  problem: string | null = null;

  constructor(config: AppConfig, pool: Pool) {
    this.#config = config;
    this.#pool = pool;
    this.isUsed = !config.GITHUB_TOKEN && !config.GITHUB_APP_ID && !config.GITHUB_APP_PRIVATE_KEY;
  }

  /** Brings the settings to what is stored. */
  async read(): Promise<void> {
    if (!this.isUsed) return;
    const row = await findGitHubApp(this.#pool);
    if (!row || this.#sealed?.equals(row.sealed)) return;
    try {
      const app = opened(this.#config.ENCRYPTION_KEY, row);
      Object.assign(this.#config, {
        GITHUB_APP_ID: app.appId,
        GITHUB_APP_PRIVATE_KEY: app.privateKey,
        GITHUB_APP_CLIENT_ID: app.clientId,
        GITHUB_APP_CLIENT_SECRET: app.clientSecret,
      } satisfies AppConfig);
      // One without a webhook must not accept what the App before it signed.
      if (app.webhookSecret === null) delete this.#config.GITHUB_WEBHOOK_SECRET;
      else this.#config.GITHUB_WEBHOOK_SECRET = app.webhookSecret;
      this.#sealed = row.sealed;
      this.problem = null;
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      this.problem = `The GitHub App that is stored cannot be used. ${error.message}`;
    }
  }

  /** Reads now and from then on; the function stops it. What fails is tried again. */
  async follow(onError: (error: unknown) => void): Promise<() => void> {
    if (!this.isUsed) return () => undefined;
    await this.read().catch(onError);
    const timer = setInterval(() => {
      this.read().catch(onError);
    }, READ_EVERY_MS);
    timer.unref();
    return () => clearInterval(timer);
  }
}

/** Encrypts and stores an App. Throws `ConfigError` without ENCRYPTION_KEY. */
export async function keepApp(
  db: Queryable,
  encryptionKey: string | undefined,
  { appId, ...secrets }: CreatedApp,
): Promise<void> {
  const key = requireKey(encryptionKey);
  await storeGitHubApp(db, { appId, sealed: seal(key, about(appId), JSON.stringify(secrets)) });
}

function opened(
  encryptionKey: string | undefined,
  { appId, sealed }: { appId: string; sealed: Buffer },
): CreatedApp {
  const text = unseal(requireKey(encryptionKey), about(appId), sealed);
  return { ...Value.Parse(Secrets, JSON.parse(text)), appId };
}

function requireKey(encryptionKey: string | undefined): string {
  if (encryptionKey) return encryptionKey;
  throw new ConfigError('ENCRYPTION_KEY is not set: set it for the API and the workers.');
}

function about(appId: string): string {
  return `github_app ${appId}`;
}
