import type { Project } from '../../../../api/dashboard/contract/projects/projects.ts';
import { CheckField, TextField } from '../forms/form.tsx';

/** Whom the commits of jobs name. */
export function AuthorFields({ project }: { project: Project }) {
  return (
    <>
      <TextField
        label="Commit author"
        name="commitAuthor"
        defaultValue={project.commitAuthor ?? ''}
        placeholder="Docs Bot <docs-bot@example.com>"
        hint="Author and committer of every commit. If empty, Docent."
      />
      <CheckField
        label="Sign off commits"
        name="signOff"
        defaultChecked={project.signOff}
        hint={
          'Commit messages end with the author’s Signed-off-by line, as the Developer ' +
          'Certificate of Origin asks. Needs a commit author.'
        }
      />
    </>
  );
}
