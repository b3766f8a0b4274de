import type { FastifyRequest } from 'fastify';
import {
  addEndpoint,
  changeEndpoint,
  deliveriesOf,
  endpointsOf,
  type Manager,
  removeEndpoint,
  rotateSecret,
  sendAgain,
  testEndpoint,
} from '../../../jobs/webhooks/manage.ts';
import { actorOf } from '../../audit.ts';
import type { DashboardDeps } from '../deps.ts';
import type { Handlers } from '../handlers.ts';

const DELIVERIES = 100;

/** Webhooks to others. */
export function webhookRoutes({ pool, config }: DashboardDeps) {
  const managerOf = (request: FastifyRequest): Manager => ({
    ...{ pool, config },
    organizationId: request.membership.organization.id,
    actor: actorOf(request),
  });
  return {
    'GET /organizations/:organization/webhooks': async request => ({
      webhooks: await endpointsOf(managerOf(request)),
    }),

    'POST /organizations/:organization/webhooks': request =>
      addEndpoint(managerOf(request), request.body),

    'PATCH /organizations/:organization/webhooks/:id': request =>
      changeEndpoint(managerOf(request), request.params.id, request.body),

    'DELETE /organizations/:organization/webhooks/:id': request =>
      removeEndpoint(managerOf(request), request.params.id),

    'POST /organizations/:organization/webhooks/:id/rotate': request =>
      rotateSecret(managerOf(request), request.params.id, request.body.graceHours),

    'GET /organizations/:organization/webhooks/:id/deliveries': async request => ({
      deliveries: await deliveriesOf(managerOf(request), request.params.id, { limit: DELIVERIES }),
    }),

    'POST /organizations/:organization/webhooks/:id/test': async request => {
      await testEndpoint(managerOf(request), request.params.id);
    },

    'POST /organizations/:organization/webhooks/:id/resend': async request => {
      await sendAgain(managerOf(request), request.params.id, request.body.event);
    },
  } satisfies Partial<Handlers>;
}
