import type { RepositoryList } from '../../../../api/dashboard/contract/projects/projects.ts';
import { SelectField, TextField } from '../forms/form.tsx';

/** Base branch and docs folder of a new project. `of`: a repository with known branches. */
export function BranchFields({ of }: { of?: RepositoryList['repositories'][number] | undefined }) {
  return (
    <div className="form-columns">
      {of ? (
        <SelectField
          key={of.name}
          label="Base branch"
          name="baseRef"
          defaultValue={of.defaultBranch}
          hint="Pull requests target this branch."
        >
          {of.branches.map(each => (
            <option key={each}>{each}</option>
          ))}
        </SelectField>
      ) : (
        <TextField
          label="Base branch"
          name="baseRef"
          placeholder="the repository’s default"
          hint="Pull requests target this branch."
        />
      )}
      <TextField
        label="Docs folder"
        name="docsFolder"
        placeholder="detected automatically"
        hint="The agent can edit only this folder."
      />
    </div>
  );
}
