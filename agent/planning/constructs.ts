import { docentNote } from '../../shared/agent-text.ts';
import type { Construct } from '../../shared/jobs/construct.ts';

/** What the model gets once they are allowed. */
export function allowedText(constructs: readonly Construct[]): string {
  const lines = constructs.map(
    ({ path, line, what, form }) =>
      `- ${path}, line ${line}, ${what}: ${form.replaceAll('<', '‹')}`,
  );
  return docentNote(
    `A person allowed what the policy refused. Make the change again.\n${lines.join('\n')}`,
  );
}
