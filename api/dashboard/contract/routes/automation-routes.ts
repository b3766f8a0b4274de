import * as automations from '../automations.ts';
import type { RouteEntry } from './route-entry.ts';

/** Routes of automations, for the table of routes. */
export const AUTOMATION_ROUTES = {
  'GET /projects/:projectId/automations': {
    who: 'viewer',
    answer: automations.AutomationList,
  },
  /** Opens a pull request that adds a ready-made one. */
  'POST /projects/:projectId/automations': {
    who: 'member',
    body: automations.AddAutomation,
    answer: automations.AutomationAdded,
    status: 201,
  },
  'GET /projects/:projectId/automations/:id/runs': {
    who: 'viewer',
    answer: automations.AutomationRuns,
  },
  'POST /projects/:projectId/automations/:id/runs': {
    who: 'member',
    answer: automations.Automation,
    status: 201,
  },
  'PATCH /projects/:projectId/automations/:id': {
    who: 'member',
    body: automations.AutomationChange,
    answer: automations.Automation,
  },
} satisfies Record<`${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`, RouteEntry>;
