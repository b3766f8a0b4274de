import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { Config } from '../../shared/config.ts';
import { findGitHubApp, type GitHubAppRow, storeGitHubApp } from '../../db/github/app.ts';
import type { Pool, Queryable } from '../../db/pool.ts';
import { ConfigError } from '../../shared/errors.ts';
import { encryptionKeys, seal, unseal } from '../../shared/secrets/sealed.ts';

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

/** The settings that an App gives. */
const NAMES = [
  'GITHUB_APP_ID',
  'GITHUB_APP_PRIVATE_KEY',
  'GITHUB_APP_CLIENT_ID',
  'GITHUB_APP_CLIENT_SECRET',
  'GITHUB_WEBHOOK_SECRET',
] as const;
type AppSettings = Pick<Config, (typeof NAMES)[number]>;
type AppConfig = AppSettings &
  Pick<Config, 'ENCRYPTION_KEY' | 'ENCRYPTION_KEYS_BEFORE' | 'GITHUB_TOKEN'>;

/**
 * The App of the database, which a process uses if its environment names neither an App nor a
 * token. These are the only settings that change while a process runs: whatever reads them from the
 * process's `config` uses the App that is stored, and none once it is removed.
 */
export class StoredApp {
  readonly #config: AppConfig;
  readonly #pool: Pool;
  /** Those of the environment. */
  readonly #own: AppSettings;
  #sealed: Buffer | undefined;
  /** The environment leaves GitHub to the database. */
  readonly isUsed: boolean;
  /** Why what is stored cannot be used: one sentence; null: it can, or there is nothing. */
  problem: string | null = null;

  constructor(config: AppConfig, pool: Pool) {
    this.#config = config;
    this.#pool = pool;
    this.#own = { ...config };
    this.isUsed = !config.GITHUB_TOKEN && !config.GITHUB_APP_ID && !config.GITHUB_APP_PRIVATE_KEY;
  }

  /** Brings the settings to what is stored. */
  async read(): Promise<void> {
    if (!this.isUsed) return;
    const row = await findGitHubApp(this.#pool);
    if (row && this.#sealed?.equals(row.sealed)) return;
    this.#sealed = row?.sealed;
    this.problem = null;
    // Nothing stays of the App before: one without a webhook must not accept what that one signed.
    this.#use(row ? { ...this.#own, ...this.#opened(row) } : this.#own);
  }

  /**
   * Reads now and from then on; the function stops it. What fails is tried again. `onError` also
   * gets each new `problem`.
   */
  async follow(onError: (error: unknown) => void): Promise<() => void> {
    if (!this.isUsed) return () => undefined;
    let told: string | null = null;
    const read = async (): Promise<void> => {
      await this.read();
      if (this.problem !== null && this.problem !== told) onError(new ConfigError(this.problem));
      told = this.problem;
    };
    await read().catch(onError);
    const timer = setInterval(() => {
      read().catch(onError);
    }, READ_EVERY_MS);
    timer.unref();
    return () => clearInterval(timer);
  }

  /** Undefined and a `problem` if it cannot be opened. */
  #opened({ appId, sealed }: GitHubAppRow): AppSettings | undefined {
    try {
      requireKey(this.#config.ENCRYPTION_KEY);
      const text = unseal(encryptionKeys(this.#config) ?? [], about(appId), sealed);
      const app = Value.Parse(Secrets, JSON.parse(text));
      return {
        GITHUB_APP_ID: appId,
        GITHUB_APP_PRIVATE_KEY: app.privateKey,
        GITHUB_APP_CLIENT_ID: app.clientId,
        GITHUB_APP_CLIENT_SECRET: app.clientSecret,
        ...(app.webhookSecret !== null && { GITHUB_WEBHOOK_SECRET: app.webhookSecret }),
      };
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      this.problem = `The GitHub App that is stored cannot be used. ${error.message}`;
      return undefined;
    }
  }

  #use(settings: AppSettings): void {
    for (const name of NAMES) {
      const value = settings[name];
      if (value === undefined) delete this.#config[name];
      else this.#config[name] = value;
    }
  }
}

/**
 * Encrypts and stores an App. False if there is one already. Throws `ConfigError` without
 * ENCRYPTION_KEY.
 */
export async function keepApp(
  db: Queryable,
  encryptionKey: string | undefined,
  { appId, ...secrets }: CreatedApp,
): Promise<boolean> {
  const key = requireKey(encryptionKey);
  const sealed = seal(key, about(appId), JSON.stringify(secrets));
  return await storeGitHubApp(db, { appId, sealed });
}

function requireKey(encryptionKey: string | undefined): string {
  if (encryptionKey) return encryptionKey;
  throw new ConfigError('ENCRYPTION_KEY is not set: set it for the API and the workers.');
}

function about(appId: string): string {
  return `github_app ${appId}`;
}
