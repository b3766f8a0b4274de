import { useProject, useSession } from '../../data/place.ts';
import { Empty } from '../feedback/loaded.tsx';

/** Shown if a project has no jobs, with a command that starts one. */
export function NoJobs() {
  const { project } = useProject();
  const { baseUrl } = useSession();
  return (
    <Empty icon="jobs" title="No jobs yet" command={firstJob(baseUrl, project.id)}>
      Enter an instruction above, or start a job from a script with an admin key:
    </Empty>
  );
}

function firstJob(baseUrl: string, projectId: string): string {
  return [
    `curl -X POST ${baseUrl}/v2/agent/${projectId}/job \\`,
    '  -H "Authorization: Bearer $ADMIN_KEY" -H "Content-Type: application/json" \\',
    `  -d '{"prompt": "Replace \\"log-in\\" with \\"sign-in\\""}'`,
  ].join('\n');
}
