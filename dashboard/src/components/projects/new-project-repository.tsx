import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type {
  NewProject,
  RepositoryList,
} from '../../../../api/dashboard/contract/projects/projects.ts';
import { Notice } from '../feedback/notice.tsx';
import { SelectField, TextField } from '../forms/form.tsx';
import { GitHubSource } from '../github/repository-choice.tsx';

/** The fields that name the repository of a new project. They depend on where it comes from. */
export function RepositoryFields({
  list,
  host,
  source,
  upload,
  ...connected
}: {
  list: RepositoryList;
  /** The host that has the repository; undefined: the built-in host. */
  host: Host | undefined;
  source: NewProject['source']['type'];
  /** The field for a folder of this computer. */
  upload: ReactNode;
} & ConnectedProps) {
  const [repository, setRepository] = useState(list.repositories[0]?.name ?? '');
  if (host) return <HostRepository host={host} {...connected} />;
  if (!list.available)
    return (
      <Notice tone="warn">
        The built-in repository host is not running in this process. To add a copy, use{' '}
        <code>docent project add</code>.
      </Notice>
    );
  if (source === 'upload') return upload;
  const isImport = source === 'import';
  const known = list.repositories.find(each => each.name === repository);
  return (
    <>
      {isImport ? (
        <ImportAddress />
      ) : (
        <BuiltInRepository list={list} value={repository} onChange={setRepository} />
      )}
      <BranchFields of={isImport ? undefined : known} />
    </>
  );
}

type Host = RepositoryList['hosts'][number];
interface ConnectedProps {
  organization: string;
  /** The repository chosen from a connected host's list; null: none yet. */
  chosen: string | null;
  onChoose: (repository: string | null) => void;
}

function HostRepository({ host, organization, chosen, onChoose }: ConnectedProps & { host: Host }) {
  if (!host.available)
    return (
      <Notice tone="plain">
        {host.name} is not set up.{' '}
        {host.hasConnectPage && (
          <Link to="/$organization/-/github" params={{ organization }}>
            Set it up
          </Link>
        )}
      </Notice>
    );
  if (host.hasConnectPage)
    return <GitHubSource organization={organization} chosen={chosen} onChoose={onChoose} />;
  return (
    <>
      <TextField
        label="Repository"
        name="source"
        required
        hint={`The name that ${host.name} uses.`}
      />
      <BranchFields />
    </>
  );
}

function ImportAddress() {
  return (
    <TextField
      label="Address"
      name="source"
      type="url"
      required
      placeholder="https://git.example.com/acme/docs.git"
      hint={
        'https, and readable without a password. It is copied once. Pull requests are opened on ' +
        'the copy.'
      }
    />
  );
}

function BuiltInRepository({
  list,
  value,
  onChange,
}: {
  list: RepositoryList;
  value: string;
  onChange: (repository: string) => void;
}) {
  if (list.repositories.length === 0)
    return (
      <Notice tone="plain">
        The built-in host has no repositories yet. Import one, or copy a local folder:{' '}
        <code>docent project add Docs --repository ./docs</code>
      </Notice>
    );
  return (
    <SelectField
      label="Repository on the built-in host"
      name="source"
      value={value}
      onChange={event => onChange(event.target.value)}
    >
      {list.repositories.map(each => (
        <option key={each.name}>{each.name}</option>
      ))}
    </SelectField>
  );
}

/** Base branch and docs folder of a new project. `of`: a repository with known branches. */
function BranchFields({ of }: { of?: RepositoryList['repositories'][number] | undefined }) {
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
