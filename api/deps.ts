import type { Client } from '@temporalio/client';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../shared/config.ts';
import type { Pool } from '../db/pool.ts';
import type { Embed } from '../search/embed.ts';

/** What the API needs. The caller that opened these closes them. */
export interface ApiDeps {
  config: Config;
  pool: Pool;
  temporal: Client;
  logger?: FastifyBaseLogger;
  /** Set if embeddings are on. */
  embed?: Embed | undefined;
}
