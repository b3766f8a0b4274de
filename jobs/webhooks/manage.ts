import type { AuditAction } from '../../db/audit/audit-actions.ts';
import { type AuditActor, recordAudit } from '../../db/audit/audit-log.ts';
import {
  addTest,
  type Delivery,
  listDeliveries,
  sendAgain as sendRowsAgain,
} from '../../db/outgoing/deliveries.ts';
import {
  countEndpoints,
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  type Endpoint,
  insertEndpoint,
  listEndpoints,
  lockEndpoint,
  replaceSecret,
  setEvents,
} from '../../db/outgoing/endpoints.ts';
import { type Pool, type Transaction, transaction } from '../../db/pool.ts';
import { findProject } from '../../db/projects/projects.ts';
import type { Config } from '../../shared/config.ts';
import { fieldProblem, Problem } from '../../shared/errors.ts';
import { isPlainId, newId } from '../../shared/ids.ts';
import { seal } from '../../shared/secrets/sealed.ts';
import { newWebhookSecret } from '../../shared/secrets/webhook-secret.ts';
import type {
  DeliveryBody,
  EndpointBody,
  EndpointChange,
  NewEndpoint,
} from '../../shared/webhooks/schemas.ts';
import { subjectOf } from './subject.ts';

/** What the API and the dashboard do with the endpoints of an organization, with its audit entry. */
export interface Manager {
  config: Config;
  pool: Pool;
  organizationId: string;
  actor: AuditActor;
}

interface Made {
  webhook: EndpointBody;
  /** Shown here, and never again. */
  secret: string;
}

/** Each event is stored once per endpoint. */
const MOST_ENDPOINTS = 20;

export async function endpointsOf({ pool, organizationId }: Manager): Promise<EndpointBody[]> {
  return (await listEndpoints(pool, organizationId)).map(endpointBody);
}

/** Throws 400, 404 and 409. */
export async function addEndpoint(
  manager: Manager,
  { url, events, projectId: project }: NewEndpoint,
): Promise<Made> {
  const { pool, organizationId } = manager;
  const id = newId('whe');
  const secret = newWebhookSecret();
  const sealed = seal(keyOf(manager), id, secret);
  const href = addressOf(url);
  const projectId = project ?? null;
  if (projectId !== null) await requireProject(manager, projectId);
  const endpoint = await transaction(pool, async tx => {
    if ((await countEndpoints(tx, organizationId)) >= MOST_ENDPOINTS)
      throw new Problem('conflict', `An organization has at most ${MOST_ENDPOINTS} webhooks.`);
    await insertEndpoint(tx, { id, organizationId, projectId, url: href, events }, sealed);
    await record(tx, manager, 'webhook.added', { id, url: href }, { events, project: projectId });
    return (await lockEndpoint(tx, id))!;
  });
  return { webhook: endpointBody(endpoint), secret };
}

export async function rotateSecret(
  manager: Manager,
  id: string,
  graceHours: number,
): Promise<Made> {
  const secret = newWebhookSecret();
  const sealed = seal(keyOf(manager), id, secret);
  const webhook = await change(manager, id, async (tx, found) => {
    await replaceSecret(tx, id, sealed, graceHours);
    await record(tx, manager, 'webhook.rotated', found, { graceHours });
  });
  return { webhook, secret };
}

/** Disabled or enabled already is success. */
export function changeEndpoint(
  manager: Manager,
  id: string,
  { enabled, events }: EndpointChange,
): Promise<EndpointBody> {
  return change(manager, id, async (tx, found) => {
    if (events) {
      await setEvents(tx, id, events);
      await record(tx, manager, 'webhook.changed', found, { events });
    }
    if (enabled === undefined || enabled === (found.disabledAt === null)) return;
    if (enabled) await enableEndpoint(tx, id);
    else await disableEndpoint(tx, id, null);
    await record(tx, manager, enabled ? 'webhook.enabled' : 'webhook.disabled', found);
  });
}

export async function removeEndpoint(manager: Manager, id: string): Promise<void> {
  await transaction(manager.pool, async tx => {
    const found = await requireEndpoint(tx, manager, id);
    await deleteEndpoint(tx, id);
    await record(tx, manager, 'webhook.removed', found);
  });
}

/** Its `webhook-id`. Throws 409 if the endpoint is disabled. */
export async function testEndpoint(manager: Manager, id: string): Promise<string> {
  const eventId = newId('evt');
  await change(manager, id, async (tx, found) => {
    requireEnabled(found);
    await addTest(tx, id, eventId);
    await record(tx, manager, 'webhook.tested', found);
  });
  return eventId;
}

/** One event, or all that failed; how many. Throws 404 and 409. */
export async function sendAgain(
  manager: Manager,
  id: string,
  event: string | undefined,
): Promise<number> {
  let sent = 0;
  await change(manager, id, async (tx, found) => {
    requireEnabled(found);
    const isId = event === undefined || isPlainId(event);
    sent = isId ? await sendRowsAgain(tx, id, event) : 0;
    if (event !== undefined && sent === 0)
      throw new Problem('not_found', 'There is no such delivery.');
    await record(tx, manager, 'webhook.resent', found, { deliveries: sent });
  });
  return sent;
}

/** Newest first; the next page is after the last of them. */
export async function deliveriesOf(
  manager: Manager,
  id: string,
  page: { limit: number; after?: string },
): Promise<DeliveryBody[]> {
  const own = await listEndpoints(manager.pool, manager.organizationId);
  if (!own.some(endpoint => endpoint.id === id)) throw noEndpoint();
  return (await listDeliveries(manager.pool, id, page)).map(deliveryBody);
}

/** Throws 404. */
async function requireEndpoint(
  tx: Transaction,
  { organizationId }: Manager,
  id: string,
): Promise<Endpoint> {
  const found = isPlainId(id) ? await lockEndpoint(tx, id, organizationId) : undefined;
  if (!found) throw noEndpoint();
  return found;
}

function noEndpoint(): Problem {
  return new Problem('not_found', 'There is no such webhook.');
}

function requireEnabled({ disabledAt }: Endpoint): void {
  if (disabledAt) throw new Problem('conflict', 'This webhook is disabled: enable it first.');
}

/** The endpoint as `act` leaves it. */
async function change(
  manager: Manager,
  id: string,
  act: (tx: Transaction, found: Endpoint) => Promise<void>,
): Promise<EndpointBody> {
  return transaction(manager.pool, async tx => {
    await act(tx, await requireEndpoint(tx, manager, id));
    return endpointBody(await requireEndpoint(tx, manager, id));
  });
}

function record(
  tx: Transaction,
  { organizationId, actor }: Manager,
  action: AuditAction,
  endpoint: Pick<Endpoint, 'id' | 'url'>,
  details: Record<string, unknown> = {},
): Promise<void> {
  return recordAudit(tx, organizationId, { action, actor, subject: subjectOf(endpoint), details });
}

function keyOf({ config }: Manager): string {
  if (config.ENCRYPTION_KEY) return config.ENCRYPTION_KEY;
  throw new Problem('conflict', 'Set ENCRYPTION_KEY for the API and the workers first.');
}

/** Parsed once: what is stored is what is checked and sent to. */
function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || url.username || url.password || url.hash)
    throw fieldProblem('url', 'must be an address without a user name, password and fragment');
  return url.href;
}

async function requireProject({ pool, organizationId }: Manager, id: string): Promise<void> {
  const project = isPlainId(id) ? await findProject(pool, id) : undefined;
  if (project?.organizationId !== organizationId)
    throw new Problem('not_found', 'There is no such project.');
}

function endpointBody(endpoint: Endpoint): EndpointBody {
  const { id, projectId, url, events, disabledAt, disabledWhy } = endpoint;
  return {
    ...{ id, projectId, url, events },
    state: disabledAt ? 'disabled' : 'active',
    note: disabledWhy,
    failingSince: endpoint.failingSince?.toISOString() ?? null,
    oldSecretUntil: endpoint.oldSecretUntil?.toISOString() ?? null,
    createdAt: endpoint.createdAt.toISOString(),
  };
}

function deliveryBody(delivery: Delivery): DeliveryBody {
  return {
    ...delivery,
    createdAt: delivery.createdAt.toISOString(),
    attemptedAt: delivery.attemptedAt?.toISOString() ?? null,
    dueAt: delivery.dueAt?.toISOString() ?? null,
  };
}
