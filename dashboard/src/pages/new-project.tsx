import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { NewProject, RepositoryList } from '../../../shared/dashboard/projects.ts';
import { CheckField, Form, SelectField, TextField } from '../components/form.tsx';
import { GitHubSource } from '../components/github-source.tsx';
import { Notice } from '../components/notice.tsx';
import { Page } from '../components/page.tsx';
import { Segments } from '../components/segments.tsx';
import { Loaded } from '../components/states.tsx';
import type { FormValues } from '../data/form-values.ts';
import { useOrganization } from '../data/place.ts';
import { repositoriesQuery, useSend } from '../data/queries.ts';

export function NewProjectPage() {
  const organization = useOrganization();
  const repositories = useQuery(repositoriesQuery(organization.slug));
  return (
    <Page
      title="New project"
      width="narrow"
      lead="A docs repository for the agent to edit, and the site that the assistant answers from."
    >
      <div className="card card-pad">
        <Loaded query={repositories}>
          {list => <ProjectForm organization={organization.slug} list={list} />}
        </Loaded>
      </div>
    </Page>
  );
}

type Source = NewProject['source']['type'];

function ProjectForm({ organization, list }: { organization: string; list: RepositoryList }) {
  const navigate = useNavigate();
  const [source, setSource] = useState<Source>(
    list.gitHub || !list.available ? 'github' : 'import',
  );
  const [onGitHub, setOnGitHub] = useState<string | null>(null);
  const [repository, setRepository] = useState(list.repositories[0]?.name ?? '');
  const create = useSend('POST /organizations/:organization/projects');
  const submit = async (values: FormValues) => {
    const body: NewProject = {
      name: values.text('name'),
      domain: values.text('domain'),
      public: values.checked('public'),
      source:
        source === 'github'
          ? { type: source, repository: onGitHub ?? '' }
          : source === 'import'
            ? { type: source, url: values.text('source') }
            : { type: source, repository: values.text('source') },
      ...optional(values, ['baseRef', 'siteUrl'] as const),
      ...docsFolder(values, source),
    };
    const project = await create.mutateAsync({
      params: { organization },
      body,
    });
    await navigate({
      to: '/$organization/$domain',
      params: { organization, domain: project.domain },
    });
  };
  const choose = (chosen: Source): void => {
    create.reset(); // what was wrong with the other repository
    setSource(chosen);
  };
  return (
    <Form
      busy={create.isPending}
      error={create.error}
      submit={source === 'import' ? 'Import and create' : 'Create project'}
      onSubmit={values => {
        submit(values).catch(() => undefined);
      }}
    >
      <TextField label="Name" name="name" required placeholder="Acme docs" />
      <TextField
        label="Domain"
        name="domain"
        required
        placeholder="acme"
        hint="The site’s subdomain: lower-case letters, digits and dashes. It is the last part of the project’s address."
      />
      <div className="field">
        <span className="label">Repository</span>
        <Segments
          label="Where the repository comes from"
          value={source}
          onChange={choose}
          options={[
            ['github', 'On GitHub'],
            ['import', 'Import from an address'],
            ['existing', 'On the built-in host'],
          ]}
        />
      </div>
      {source === 'github' &&
        (list.gitHub ? (
          <GitHubSource organization={organization} chosen={onGitHub} onChoose={setOnGitHub} />
        ) : (
          <Notice tone="plain">
            GitHub is not set up.{' '}
            <Link to="/$organization/-/github" params={{ organization }}>
              What to set
            </Link>
          </Notice>
        ))}
      {source !== 'github' &&
        (list.available ? (
          <HostSource
            list={list}
            source={source}
            repository={repository}
            onChoose={setRepository}
          />
        ) : (
          <Notice tone="warn">
            The built-in repository host does not run in this process, so copies are added on the
            command line: <code>docent project add</code>.
          </Notice>
        ))}
      <TextField
        label="Site address"
        name="siteUrl"
        type="url"
        placeholder="https://docs.example.com"
        hint="What links to pages are built on. Without it they are relative."
      />
      {source !== 'github' && (
        <CheckField
          label="Public"
          name="public"
          hint="The docs are for everybody: a copy on the built-in host may be read without a key."
        />
      )}
    </Form>
  );
}

/** A repository of the built-in host, or one that is copied there. */
function HostSource({
  list,
  source,
  repository,
  onChoose,
}: {
  list: RepositoryList;
  source: 'import' | 'existing';
  repository: string;
  onChoose: (name: string) => void;
}) {
  const chosen =
    source === 'existing' ? list.repositories.find(each => each.name === repository) : undefined;
  return (
    <>
      {source === 'import' ? (
        <TextField
          label="Address"
          name="source"
          type="url"
          required
          placeholder="https://git.example.com/acme/docs.git"
          hint="https, and readable without a password. It is copied once; pull requests are opened on the copy."
        />
      ) : list.repositories.length === 0 ? (
        <Notice tone="plain">
          There is none yet. Import one, or copy a local folder:{' '}
          <code>docent project add Docs --repository ./docs</code>
        </Notice>
      ) : (
        <SelectField
          label="Repository on the built-in host"
          name="source"
          value={repository}
          onChange={event => onChoose(event.target.value)}
        >
          {list.repositories.map(each => (
            <option key={each.name}>{each.name}</option>
          ))}
        </SelectField>
      )}
      <div className="form-columns">
        {chosen ? (
          <SelectField
            key={chosen.name}
            label="Base branch"
            name="baseRef"
            defaultValue={chosen.defaultBranch}
            hint="Pull requests go to it."
          >
            {chosen.branches.map(each => (
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
    </>
  );
}

/**
 * Where a folder was proposed, beside a branch, an empty field is the repository's root; elsewhere
 * it leaves the folder to be found.
 */
function docsFolder(values: FormValues, source: Source): { docsFolder?: string } {
  const proposed = source === 'github' && values.optional('baseRef') !== undefined;
  return proposed
    ? { docsFolder: values.text('docsFolder') }
    : optional(values, ['docsFolder'] as const);
}

function optional<K extends string>(
  values: FormValues,
  names: readonly K[],
): { [N in K]?: string } {
  return Object.fromEntries(
    names.map(name => [name, values.optional(name)]).filter(([, value]) => value !== undefined),
  ) as { [N in K]?: string };
}
