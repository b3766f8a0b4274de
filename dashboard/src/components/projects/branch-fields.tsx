import type { RepositoryList } from '../../../../shared/dashboard/projects.ts';
import { SelectField, TextField } from '../forms/form.tsx';

/** The base branch and docs folder of a new project. `of`: a repository whose branches are known. */
export function BranchFields({ of }: { of?: RepositoryList['repositories'][number] | undefined }) {
  return (
    <div className="form-columns">
      {of ? (
        <SelectField
          key={of.name}
          label="Base branch"
          name="baseRef"
          defaultValue={of.defaultBranch}
          hint="Pull requests go to it."
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
          hint="Pull requests go to it."
        />
      )}
      <TextField
        label="Docs folder"
        name="docsFolder"
        placeholder="found by itself"
        hint="The agent may edit nothing else."
      />
    </div>
  );
}
