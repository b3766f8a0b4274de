/** What can be sent to an endpoint. What writes it: db/migrations/0015_webhooks.sql. */
export const WEBHOOK_EVENTS = [
  'job.completed',
  'job.failed',
  'job.waiting',
  'pull_request.opened',
  'pull_request.merged',
  'question.unanswered',
  'automation.run',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];
