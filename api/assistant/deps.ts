import type { FastifyBaseLogger } from 'fastify';
import { type Config, publicUrl } from '../../shared/config.ts';
import { apiConnections } from '../../shared/database-connections.ts';
import { inTurn, share } from '../../db/pool-share.ts';
import { openPool, type Pool, type Queryable } from '../../db/pool.ts';
import { readSiteNotes } from '../../db/search/site-notes.ts';
import { openModelClient } from '../../shared/models/model-client.ts';
import { assistantModel } from '../../shared/models/model-ids.ts';
import { openFeatures } from '../../db/models/open-features.ts';
import { ANSWERS, warnOfPrices } from '../../shared/models/warn-of-prices.ts';
import type { SearchResult } from '../../db/search/search-request.ts';
import { openSearch } from '../../search/search-by-meaning.ts';
import type { Embed } from '../../search/embed.ts';
import { hasPage, readSections } from '../../db/search/pages.ts';
import type { AnswerDeps } from './answer/answer-in-progress.ts';
import { endKept, type KeptAnswers } from './answer/kept-answer.ts';
import type { Limiter } from './limits/use-limits.ts';
import { StreamSlots } from './limits/stream-slots.ts';
import { Settlements } from './model/settlements.ts';

/** What the assistant's routes need; opened and closed with the app. */
export interface AssistantDeps {
  config: Config;
  /** For reads. */
  db: Queryable;
  limiter: Limiter;
  slots: StreamSlots;
  answering: Omit<AnswerDeps, 'log'>;
  close(): Promise<void>;
}

export async function openAssistant(
  config: Config,
  pool: Pool,
  log: FastifyBaseLogger,
  embed?: Embed,
): Promise<AssistantDeps> {
  const client = await openModelClient(config);
  const unflushed = openUnflushed(config, pool, log);
  warnOfPrices(config, ANSWERS, log);
  const writes = inTurn(unflushed, share(unflushed, 1));
  const db = inTurn(pool, share(pool, 1 / 2));
  const search = openSearch(db, embed);
  const absolute = (page: SearchResult) => absoluteLink(page, publicUrl(config));
  const settlements = new Settlements(log);
  const kept: KeptAnswers = new Set();
  return {
    config,
    db,
    limiter: { config, db: writes, refusals: new Map() },
    slots: new StreamSlots(config),
    answering: {
      config,
      db: writes,
      books: { db, config },
      settle: work => settlements.settle(work),
      client,
      model: assistantModel(config),
      featuresOf: openFeatures(config, db),
      search: async request => (await search(request)).map(absolute),
      embed,
      readPage: async request => {
        const page = await readSections(db, request);
        return page && absolute(page);
      },
      siteNotes: projectId => readSiteNotes(db, projectId),
      hasPage: request => hasPage(db, request),
      thinkers: new Map(),
      kept,
    },
    close: async () => {
      await endKept(kept);
      await settlements.close();
      await unflushed.end();
    },
  };
}

/**
 * A crash of Postgres may lose the last 0.6 s of counts, threads and the like. If each write
 * waited for its flush, an organization would be limited to 700 uses per second, and every answer
 * would wait six times.
 */
function openUnflushed(config: Config, pool: Pool, log: FastifyBaseLogger): Pool {
  return openPool({
    connectionString: pool.options.connectionString ?? '',
    max: apiConnections(config.DATABASE_POOL_SIZE).assistant,
    synchronousCommit: 'off',
    ...(pool.options.query_timeout !== undefined && { answerWithinMs: pool.options.query_timeout }),
    onError: error =>
      log.warn({ err: error }, 'an idle database connection of the assistant failed'),
  });
}

/** Readers are on pages of other addresses. */
function absoluteLink(page: SearchResult, base: string): SearchResult {
  return page.url.startsWith('/') ? { ...page, url: `${base}${page.url}` } : page;
}
