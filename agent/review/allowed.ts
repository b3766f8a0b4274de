import type { Workspace } from '../../shared/workspace.ts';
import { policyViolations } from '../policy/policy.ts';
import type { PolicyProject } from '../policy/policy-project.ts';
import type { ReviewPoint } from './points.ts';

/**
 * What the changes have only because a person allowed its form.
 * @param ofJob the forms that are allowed to this job alone.
 */
export async function allowedPoints(
  workspace: Workspace,
  project: PolicyProject,
  ofJob: readonly string[],
): Promise<ReviewPoint[]> {
  if (!project.allowedForms?.length || project.allowMdxCode) return [];
  const refused = await policyViolations(workspace, { ...project, allowedForms: [] });
  return refused.flatMap(({ construct }) => {
    if (!construct) return [];
    const { path, line, what, form } = construct;
    const scope = ofJob.includes(form) ? 'job' : 'project';
    return [{ path, line, says: `${what}: a person allowed it for this ${scope}` }];
  });
}
