import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { NewUpload, Upload, UPLOAD_BODY_LIMIT } from '../../shared/jobs/uploads.ts';
import { problems } from '../plugins/problems.ts';
import type { JobsDeps } from '../../jobs/deps.ts';
import { CHANGE_PROBLEMS } from './responses.ts';
import { ProjectParams } from './schemas.ts';
import { storeImage } from '../../jobs/uploads/store-image.ts';

/** Images for instructions. The same bytes twice are one upload. */
export const uploadRoutes: FastifyPluginAsyncTypebox<JobsDeps> = async (app, { pool }) => {
  app.post(
    '/v2/agent/:projectId/upload',
    {
      config: { access: 'admin' },
      bodyLimit: UPLOAD_BODY_LIMIT,
      schema: {
        tags: ['Agent'],
        operationId: 'uploadImage',
        summary: 'Upload an image for an instruction',
        description: 'The same bytes twice are one upload. Instructions name it by its id.',
        params: ProjectParams,
        body: NewUpload,
        response: { 201: Upload, ...CHANGE_PROBLEMS, ...problems('limit_exceeded') },
      },
    },
    async (request, reply) => {
      reply.code(201);
      return storeImage(pool, request.project.id, request.body);
    },
  );
};
