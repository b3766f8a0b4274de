import type { FastifyBaseLogger } from 'fastify';
import { automationsTold } from '../../db/automations/automations.ts';
import { isFollowed } from '../../db/automations/preparations.ts';
import { requestWatch } from '../../jobs/automations/start-run.ts';
import {
  finishDelivery,
  giveUpDeliveries,
  notePullRequest,
  noteRepositoryName,
  projectsBuiltFrom,
  repositoryNames,
  takeUndoneDelivery,
  unknownRepositoryNames,
} from '../../db/webhook/deliveries.ts';
import { notePreview } from '../../db/webhook/previews.ts';
import { FAILURES } from '../../shared/jobs/failures.ts';
import { type IndexedProject, requestIndex } from '../../search/indexing/index-requests.ts';
import { RepositoryError } from '../../hosts/repository-error.ts';
import type { DeliveryDeps } from './deps.ts';
import type { News } from '../../hosts/webhook.ts';
import { asksToPrepare } from '../../hosts/mention.ts';
import { PREPARE_LABEL } from '../../shared/jobs/automation.ts';
import { followUp, NO_JOB } from './follow-up.ts';

/**
 * Does what a recorded delivery asks for, and notes that it is done. Each effect may come twice.
 * Returns what became of it. Throws where it may be tried again: the record stands.
 */
export async function carryOut(deps: DeliveryDeps, id: string, news: News): Promise<string> {
  const result = await act(deps, news);
  await finishDelivery(deps.pool, deps.host, id);
  return result;
}

/**
 * Carries out what was recorded and not finished, one after the other: a process died over it, or
 * something was away. Ends early once `stopping`: while the host does not answer, each of thousands
 * takes a minute.
 */
export async function finishDeliveries(
  deps: DeliveryDeps,
  log: FastifyBaseLogger,
  stopping?: AbortSignal,
): Promise<void> {
  for (const { id, news } of await giveUpDeliveries(deps.pool, deps.host))
    log.error({ delivery: id, event: (news as News).kind }, 'a delivery is given up after a day');
  for (;;) {
    const taken = stopping?.aborted ? undefined : await takeUndoneDelivery(deps.pool, deps.host);
    if (!taken) return;
    const { id } = taken;
    const news = taken.news as News;
    try {
      log.info(
        { delivery: id, event: news.kind, result: await carryOut(deps, id, news) },
        'delivery, made good',
      );
    } catch (error) {
      log.warn({ delivery: id, event: news.kind, err: error }, 'a delivery is still not finished');
    }
  }
}

async function act(deps: DeliveryDeps, news: News): Promise<string> {
  switch (news.kind) {
    case 'pushed':
      await tellAutomations(deps, await namesOf(deps, news), news.branch);
      return await reindex(deps, news);
    case 'pull_request': {
      const names = await namesOf(deps, news);
      await notePullRequest(deps.pool, deps.host, { ...news, names });
      const concerns =
        news.state === 'merged' ||
        news.labels?.includes(PREPARE_LABEL) ||
        (await isFollowed(deps.pool, deps.host, names, news.number));
      if (concerns) await tellAutomations(deps, names);
      return news.state;
    }
    case 'preview': {
      const names = await namesOf(deps, news);
      const jobs = await notePreview(deps.pool, deps.host, { ...news, names });
      return jobs === 0 ? 'no job of ours' : 'preview noted';
    }
    case 'said': {
      const result = await followUp(deps, news);
      if (result !== NO_JOB || !asksToPrepare(news.text, deps.webhook.mention(deps.config)))
        return result;
      await tellAutomations(deps, await namesOf(deps, news));
      return 'docs asked for';
    }
  }
}

function namesOf(deps: DeliveryDeps, { repository }: News): Promise<string[]> {
  return repositoryNames(deps.pool, deps.host, repository);
}

/** They read for themselves what happened: a delivery that comes twice, or never, changes nothing. */
async function tellAutomations(
  { pool, host, temporal, config }: DeliveryDeps,
  names: readonly string[],
  branch?: string,
): Promise<void> {
  for (const automation of await automationsTold(pool, host, names, branch))
    await requestWatch(temporal, config.TASK_QUEUE, automation);
}

async function reindex(deps: DeliveryDeps, news: News & { kind: 'pushed' }): Promise<string> {
  const { branch } = news;
  const find = async (): Promise<IndexedProject[]> =>
    projectsBuiltFrom(deps.pool, deps.host, await namesOf(deps, news), branch);
  let projects = await find();
  if (projects.length === 0 && (await askForNames(deps))) projects = await find();
  for (const project of projects)
    await requestIndex(deps.temporal, deps.config.TASK_QUEUE, project);
  return `${projects.length} to index`;
}

const asking = new WeakMap<DeliveryDeps, Promise<boolean>>();

/**
 * Asks the host which repositories our projects' names, present or former, lead to now; deliveries
 * that come together share the answer. True where it was asked.
 */
function askForNames(deps: DeliveryDeps): Promise<boolean> {
  const shared = asking.get(deps) ?? askForNamesNow(deps).finally(() => asking.delete(deps));
  asking.set(deps, shared);
  return shared;
}

async function askForNamesNow({ host, questions, pool }: DeliveryDeps): Promise<boolean> {
  const asked = questions();
  const unknown = asked ? await unknownRepositoryNames(pool, host) : [];
  for (const repository of unknown) {
    const id = await asked!.repositoryId(repository).catch((error: unknown) => {
      if (error instanceof RepositoryError && !FAILURES[error.type].retry) return null;
      throw error;
    });
    await noteRepositoryName(pool, host, repository, id);
  }
  return unknown.length > 0;
}
