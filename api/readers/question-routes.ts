import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { READ_PROBLEMS, textResponse } from '../agent/responses.ts';
import { recordExport } from '../audit.ts';
import type { ApiDeps } from '../deps.ts';
import { PeriodQuery, reportPeriodOf } from './period.ts';
import { questionReport, sendExport } from './question-report.ts';
import { ExportQuery, QuestionReport } from './question-schemas.ts';
import { ProjectParams } from './schemas.ts';

const config = { access: 'admin' } as const;
const tags = ['Readers'];
const QUESTIONS = '/v1/analytics/:projectId/questions';

/** What readers ask, by period. */
export const questionRoutes: FastifyPluginAsyncTypebox<ApiDeps> = async (app, { pool }) => {
  app.get(
    QUESTIONS,
    {
      config,
      schema: {
        ...{ tags, operationId: 'reportQuestions', summary: 'Report what readers ask' },
        description:
          'Questions that are alike with their trend, pages that answers cite, and searches that ' +
          'no page matched. By default of the last 30 days.',
        ...{ params: ProjectParams, querystring: PeriodQuery },
        response: { 200: QuestionReport, ...READ_PROBLEMS },
      },
    },
    async ({ project, query }) => questionReport(pool, project.id, reportPeriodOf(query)),
  );
  app.get(
    `${QUESTIONS}/export`,
    {
      config,
      schema: {
        ...{ tags, operationId: 'exportQuestions', summary: 'Export what readers ask' },
        description:
          'CSV of all questions of a period, or of groups that are alike. A text that a ' +
          'spreadsheet would take for a formula begins with an apostrophe.',
        ...{ params: ProjectParams, querystring: ExportQuery },
        response: {
          200: textResponse('text/csv', 'A line of names, then a line for each.'),
          ...READ_PROBLEMS,
        },
      },
    },
    async (request, reply) => {
      const { project, query } = request;
      const of = query.of ?? 'questions';
      await recordExport(pool, request, { of });
      return sendExport(reply, pool, {
        ...{ projectId: project.id, of },
        period: reportPeriodOf(query),
      });
    },
  );
};
