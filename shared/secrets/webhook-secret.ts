import { createHmac, randomBytes } from 'node:crypto';

/** Secrets and signatures of Standard Webhooks, https://www.standardwebhooks.com. */

const PREFIX = 'whsec_';
const BYTES = 32; // 24 to 64

export function newWebhookSecret(): string {
  return PREFIX + randomBytes(BYTES).toString('base64');
}

/** The headers of an attempt: its time, and a signature by each of the secrets. */
export function signedHeaders(
  secrets: readonly string[],
  id: string,
  body: string,
  seconds: number = Math.floor(Date.now() / 1000),
): Record<string, string> {
  const signatures = secrets.map(secret =>
    createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
      .update(`${id}.${seconds}.${body}`)
      .digest('base64'),
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.map(each => `v1,${each}`).join(' '),
  };
}
