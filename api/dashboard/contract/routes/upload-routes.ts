import { NewUpload, Upload, UPLOAD_BODY_LIMIT } from '../../../../shared/jobs/uploads.ts';
import type { RouteEntry } from './route-entry.ts';

/** Images for instructions. */
export const UPLOAD_ROUTES = {
  'POST /projects/:projectId/uploads': {
    who: 'member',
    body: NewUpload,
    bodyLimit: UPLOAD_BODY_LIMIT,
    answer: Upload,
    status: 201,
  },
} satisfies Record<string, RouteEntry>;
