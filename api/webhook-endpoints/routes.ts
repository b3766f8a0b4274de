import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
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
} from '../../jobs/webhooks/manage.ts';
import {
  EndpointChangeSchema,
  NewEndpointSchema,
  ResendSchema,
  RotateSchema,
} from '../../shared/webhooks/schemas.ts';
import { CHANGE_PROBLEMS, READ_PROBLEMS } from '../agent/responses.ts';
import { actorOf } from '../audit.ts';
import type { ApiDeps } from '../deps.ts';
import {
  DeliveriesQuery,
  DeliveryList,
  EndpointList,
  EndpointMade,
  EndpointRef,
  NAMED,
  Params,
  Resent,
  Tested,
} from './schemas.ts';

const config = { access: 'admin' } as const;
const tags = ['Webhooks'];

/** Webhooks to others, of the organization of the key. */
export const webhookEndpointRoutes: FastifyPluginAsyncTypebox<ApiDeps> = async (app, deps) => {
  for (const schema of NAMED) app.addSchema(schema);
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'cache-control': 'no-store', vary: 'Authorization' });
  });
  await app.register(endpointRoutes, deps);
  await app.register(changeRoutes, deps);
  await app.register(rotateRoute, deps);
  await app.register(deliveryRoute, deps);
  await app.register(sendRoutes, deps);
};

const endpointRoutes: FastifyPluginAsyncTypebox<ApiDeps> = async (app, deps) => {
  app.get(
    '/v1/webhooks',
    {
      config,
      schema: {
        ...{ tags, operationId: 'listWebhooks', summary: 'List webhooks' },
        description: 'Of the organization, oldest first.',
        response: { 200: EndpointList, ...READ_PROBLEMS },
      },
    },
    async request => ({ webhooks: await endpointsOf(managerOf(deps, request)) }),
  );
  app.post(
    '/v1/webhooks',
    {
      config,
      schema: {
        ...{ tags, operationId: 'addWebhook', summary: 'Add a webhook' },
        description: 'The secret is shown once.',
        body: NewEndpointSchema,
        response: { 201: EndpointMade, ...CHANGE_PROBLEMS },
      },
    },
    async (request, reply) => {
      reply.code(201);
      return addEndpoint(managerOf(deps, request), request.body);
    },
  );
};

const changeRoutes: FastifyPluginAsyncTypebox<ApiDeps> = async (app, deps) => {
  app.patch(
    '/v1/webhooks/:webhookId',
    {
      config,
      schema: {
        ...{ tags, operationId: 'changeWebhook', summary: 'Change a webhook' },
        description: 'Once it is enabled again, it gets what was not delivered.',
        ...{ params: Params, body: EndpointChangeSchema },
        response: { 200: EndpointRef, ...CHANGE_PROBLEMS },
      },
    },
    async request =>
      changeEndpoint(managerOf(deps, request), request.params.webhookId, request.body),
  );
  app.delete(
    '/v1/webhooks/:webhookId',
    {
      config,
      schema: {
        ...{ tags, operationId: 'removeWebhook', summary: 'Remove a webhook' },
        description: 'Its deliveries are deleted.',
        params: Params,
        response: { 204: { type: 'null', description: 'It is removed.' }, ...READ_PROBLEMS },
      },
    },
    async (request, reply) => {
      await removeEndpoint(managerOf(deps, request), request.params.webhookId);
      return reply.code(204).send();
    },
  );
};

const rotateRoute: FastifyPluginAsyncTypebox<ApiDeps> = async (app, deps) => {
  app.post(
    '/v1/webhooks/:webhookId/rotate',
    {
      config,
      schema: {
        ...{ tags, operationId: 'rotateWebhook', summary: 'Rotate the secret of a webhook' },
        description: 'For a while both secrets sign. The new one is shown once.',
        ...{ params: Params, body: RotateSchema },
        response: { 200: EndpointMade, ...CHANGE_PROBLEMS },
      },
    },
    async request => {
      const { params, body } = request;
      return rotateSecret(managerOf(deps, request), params.webhookId, body.graceHours);
    },
  );
};

const deliveryRoute: FastifyPluginAsyncTypebox<ApiDeps> = async (app, deps) => {
  app.get(
    '/v1/webhooks/:webhookId/deliveries',
    {
      config,
      schema: {
        ...{ tags, operationId: 'listWebhookDeliveries', summary: 'List deliveries' },
        description: 'Those of the last 30 days, newest first.',
        ...{ params: Params, querystring: DeliveriesQuery },
        response: { 200: DeliveryList, ...READ_PROBLEMS },
      },
    },
    async request => {
      const { limit = 20, after } = request.query;
      const page = { limit, ...(after !== undefined && { after }) };
      const { webhookId } = request.params;
      return { deliveries: await deliveriesOf(managerOf(deps, request), webhookId, page) };
    },
  );
};

const sendRoutes: FastifyPluginAsyncTypebox<ApiDeps> = async (app, deps) => {
  app.post(
    '/v1/webhooks/:webhookId/test',
    {
      config,
      schema: {
        ...{ tags, operationId: 'testWebhook', summary: 'Test a webhook' },
        description: 'Sends an event of the type webhook.test.',
        params: Params,
        response: { 202: Tested, ...CHANGE_PROBLEMS },
      },
    },
    async (request, reply) => {
      reply.code(202);
      return { id: await testEndpoint(managerOf(deps, request), request.params.webhookId) };
    },
  );
  app.post(
    '/v1/webhooks/:webhookId/resend',
    {
      config,
      schema: {
        ...{ tags, operationId: 'resendWebhook', summary: 'Send deliveries again' },
        description: 'Under the same webhook-id: one, or all that failed.',
        ...{ params: Params, body: ResendSchema },
        response: { 202: Resent, ...CHANGE_PROBLEMS },
      },
    },
    async (request, reply) => {
      const { params, body } = request;
      reply.code(202);
      return {
        deliveries: await sendAgain(managerOf(deps, request), params.webhookId, body.event),
      };
    },
  );
};

function managerOf({ config: settings, pool }: ApiDeps, request: FastifyRequest): Manager {
  return {
    ...{ config: settings, pool },
    organizationId: request.apiKey.organizationId,
    actor: actorOf(request),
  };
}
