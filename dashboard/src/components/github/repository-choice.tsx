import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { RepositoryInspection } from '../../../../api/dashboard/contract/github.ts';
import { inspectionQuery } from '../../data/github-queries.ts';
import { Button } from '../controls/button.tsx';
import { Loaded } from '../feedback/loaded.tsx';
import { Notice } from '../feedback/notice.tsx';
import { TextField } from '../forms/form.tsx';
import { GitHubRepositories, RepositoryName } from './repository-list.tsx';

interface Props {
  organization: string;
  /** "owner/name"; null: none yet. */
  chosen: string | null;
  onChoose: (repository: string | null) => void;
}

/**
 * A new project's repository on GitHub: a list to choose from, then a check that jobs can use it,
 * and proposed values.
 */
export function GitHubSource({ organization, chosen, onChoose }: Props) {
  return chosen === null ? (
    <Choice organization={organization} onChoose={onChoose} />
  ) : (
    <Chosen organization={organization} repository={chosen} onChange={() => onChoose(null)} />
  );
}

function Choice({
  organization,
  onChoose,
}: {
  organization: string;
  onChoose: (repository: string) => void;
}) {
  const connect = (
    <Link to="/$organization/-/github" params={{ organization }}>
      Connect GitHub
    </Link>
  );
  return (
    <fieldset className="field">
      <legend>Repository on GitHub</legend>
      <GitHubRepositories
        organization={organization}
        empty={<>{connect}, or give the installation access to your docs repository.</>}
        row={repository => (
          <label className="choice">
            <input
              type="radio"
              name="repository"
              value={repository.name}
              required
              onChange={() => onChoose(repository.name)}
            />
            <RepositoryName repository={repository} />
          </label>
        )}
      />
      <span className="hint">Not listed? {connect}.</span>
    </fieldset>
  );
}

function Chosen({
  organization,
  repository,
  onChange,
}: {
  organization: string;
  repository: string;
  onChange: () => void;
}) {
  const inspection = useQuery(inspectionQuery(organization, repository));
  return (
    <section className="stack" aria-label="Repository on GitHub">
      <div className="row-between chosen">
        <strong className="clip">{repository}</strong>
        <Button small onClick={onChange}>
          Change
        </Button>
      </div>
      <Loaded query={inspection} lines={2}>
        {data => (
          <Proposal
            inspection={data}
            busy={inspection.isFetching}
            again={() => {
              void inspection.refetch();
            }}
          />
        )}
      </Loaded>
    </section>
  );
}

function Proposal({
  inspection: { problem, found },
  busy,
  again,
}: {
  inspection: RepositoryInspection;
  busy: boolean;
  again: () => void;
}) {
  if (!found)
    return (
      <>
        <Notice tone="bad">{problem}</Notice>
        <div>
          <Button small busy={busy} onClick={again}>
            Check again
          </Button>
        </div>
      </>
    );
  return (
    <>
      <Notice tone="good">Docent can read this repository and push to it.</Notice>
      <div className="form-columns" key={found.repository}>
        <TextField
          label="Base branch"
          name="baseRef"
          defaultValue={found.baseRef}
          required
          hint="Pull requests target this branch."
        />
        <TextField
          label="Docs folder"
          name="docsFolder"
          defaultValue={found.docsFolder}
          placeholder="the repository’s root"
          hint="Detected automatically. The agent can edit only this folder."
        />
      </div>
    </>
  );
}
