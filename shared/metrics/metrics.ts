import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Usage } from '../models/model-prices.ts';

/**
 * What this process has done, for Prometheus. No label holds a job, a thread, an address or text:
 * labels are lists that are known in advance.
 */
export const registry = new Registry();
const registers = [registry];
collectDefaultMetrics({ register: registry });

export const httpRequests = new Histogram({
  name: 'docent_http_request_seconds',
  help: 'Time to answer a request, by the route’s pattern. A stream counts until its end.',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  registers,
});

export const limitRefusals = new Counter({
  name: 'docent_limit_refusals_total',
  help: 'Requests that were refused because a limit is reached.',
  labelNames: ['limit'],
  registers,
});

export const jobTurns = new Counter({
  name: 'docent_job_turns_total',
  help: 'Turns of agent jobs that have ended, by their outcome, and why they failed.',
  labelNames: ['outcome', 'code'],
  registers,
});

export const answers = new Counter({
  name: 'docent_assistant_answers_total',
  help: 'Answers of the assistant: with citations, without, or failed.',
  labelNames: ['outcome'],
  registers,
});

export const webhookAttempts = new Counter({
  name: 'docent_webhook_attempts_total',
  help: 'Attempts to deliver a webhook: delivered or failed.',
  labelNames: ['outcome'],
  registers,
});

export const firstText = new Histogram({
  name: 'docent_assistant_first_text_seconds',
  help: 'Time from a question to the first text of its answer.',
  buckets: [0.25, 0.5, 1, 2, 3, 5, 8, 13, 30],
  registers,
});

export const openStreams = new Gauge({
  name: 'docent_assistant_streams_open',
  help: 'Answers that are being streamed.',
  registers,
});

export const jobWatches = new Gauge({
  name: 'docent_job_watches_open',
  help: 'Requests and streams that wait for a job to change.',
  registers,
});

export const databaseWaiting = new Gauge({
  name: 'docent_database_waiting',
  help: 'Queries that wait for their turn at a connection.',
  registers,
});

const modelCalls = new Counter({
  name: 'docent_model_calls_total',
  help: 'Calls of a model, by what for and how they ended.',
  labelNames: ['purpose', 'model', 'outcome'],
  registers,
});

const modelTokens = new Counter({
  name: 'docent_model_tokens_total',
  help: 'Tokens that models reported.',
  labelNames: ['purpose', 'model', 'kind'],
  registers,
});

const modelCost = new Counter({
  name: 'docent_model_cost_usd_total',
  help: 'Cost of model calls in US dollars, by MODEL_PRICES; calls without a price are not in it.',
  labelNames: ['purpose', 'model'],
  registers,
});

/** Counts a call that has ended. `model`: the one asked for; an answer could name any. */
export function countModelCall(call: {
  purpose: 'agent' | 'assistant';
  model: string;
  outcome: string;
  usage?: Usage;
  costMicroUsd?: number | undefined;
}): void {
  const { purpose, model, outcome, usage, costMicroUsd } = call;
  modelCalls.inc({ purpose, model, outcome });
  if (usage) {
    modelTokens.inc({ purpose, model, kind: 'input' }, usage.inputTokens);
    modelTokens.inc({ purpose, model, kind: 'output' }, usage.outputTokens);
    modelTokens.inc({ purpose, model, kind: 'cache_read' }, usage.cacheReadTokens);
    modelTokens.inc({ purpose, model, kind: 'cache_write' }, usage.cacheWriteTokens);
  }
  if (costMicroUsd !== undefined) modelCost.inc({ purpose, model }, costMicroUsd / 1e6);
}
