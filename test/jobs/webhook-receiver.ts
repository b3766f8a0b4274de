import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { JobStack } from '../support/job-stack.ts';
import { until } from '../support/until.ts';

export interface Received {
  id: string;
  type: string;
  data: Record<string, unknown>;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Answer {
  status: number;
  headers?: Record<string, string>;
  afterMs?: number;
}

/** Somebody's server: keeps what it got and verified, and answers as it is told. */
export interface Receiver {
  url: string;
  /** Every attempt, also those that were refused. */
  attempts: Received[];
  /** What was answered with 2xx, by id. */
  known: Map<string, Received>;
  /** How often a signature was wrong. */
  forged(): number;
  /** Of the next attempts; without, 204. */
  answer: (received: Received) => Answer;
  trust(secret: string): void;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  let secret = '';
  let forged = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      try {
        new Webhook(secret).verify(body, request.headers as Record<string, string>);
      } catch {
        forged += 1;
        response.writeHead(401).end();
        return;
      }
      const { type, data } = JSON.parse(body) as Pick<Received, 'type' | 'data'>;
      const id = String(request.headers['webhook-id']);
      const received = { id, type, data, headers: request.headers, body };
      receiver.attempts.push(received);
      const { status, headers, afterMs = 0 } = receiver.answer(received);
      setTimeout(() => {
        if (status < 300) receiver.known.set(id, received);
        response.writeHead(status, headers).end();
      }, afterMs);
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    attempts: [],
    known: new Map(),
    forged: () => forged,
    answer: () => ({ status: 204 }),
    trust: value => {
      secret = value;
    },
    async close() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
  return receiver;
}

/** As if so much time had passed for the webhooks: what they remember is so much older. */
export async function passTime(pool: JobStack['pool'], interval: string): Promise<void> {
  await pool.query(
    `update webhook_deliveries set created_at = created_at - $1::interval,
            due_at = due_at - $1::interval, attempted_at = attempted_at - $1::interval`,
    [interval],
  );
  await pool.query(
    `update webhook_endpoints set created_at = created_at - $1::interval,
            failing_since = failing_since - $1::interval,
            old_secret_until = old_secret_until - $1::interval`,
    [interval],
  );
}

/** Lets the time pass until what has failed is due again. */
export async function passWait(pool: JobStack['pool']): Promise<void> {
  const { rows } = await pool.query<{ seconds: number }>(
    `select extract(epoch from max(due_at) - now())::float8 as seconds
       from webhook_deliveries where state = 'pending'`,
  );
  await passTime(pool, `${rows[0]!.seconds} seconds`);
}

/** Waits until nothing is to be sent any more at this moment. */
export async function settled(pool: JobStack['pool']): Promise<void> {
  await until('nothing is due', async () => {
    const { rows } = await pool.query<{ due: boolean }>(
      `select exists (select from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
                       where e.disabled_at is null and d.state = 'pending'
                         and d.due_at < now() + interval '2 minutes') as due`,
    );
    return !rows[0]!.due;
  });
}
