import { Job } from '../jobs.ts';
import { QuestionReport } from '../../../readers/question-schemas.ts';
import { UsageQuery } from '../usage.ts';
import * as questions from '../questions.ts';
import type { RouteEntry } from './route-entry.ts';

/** Routes of what readers asked, for the table of routes. */
export const QUESTION_ROUTES = {
  'GET /projects/:projectId/questions': {
    who: 'viewer',
    query: questions.QuestionQuery,
    answer: questions.QuestionList,
  },
  'GET /projects/:projectId/questions/report': {
    who: 'viewer',
    query: UsageQuery,
    answer: QuestionReport,
  },
  /** As CSV. */
  'GET /projects/:projectId/questions/export': {
    who: 'owner',
    query: questions.ExportQuery,
    stream: true,
  },
  /** Dismisses questions that are alike, resolves them by a page, or opens them again. */
  'PATCH /projects/:projectId/questions/:id': {
    who: 'member',
    body: questions.QuestionChange,
    answer: questions.Question,
  },
  /** Starts a job that fills the gap. */
  'POST /projects/:projectId/questions/:id/job': { who: 'member', answer: Job, status: 201 },
} satisfies Record<`${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`, RouteEntry>;
