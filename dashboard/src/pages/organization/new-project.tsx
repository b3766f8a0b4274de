import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { NewProject, RepositoryList } from '../../../../shared/dashboard/projects.ts';
import { CheckField, Form, SelectField, TextField } from '../../components/forms/form.tsx';
import { GitHubSource } from '../../components/github/repository-choice.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { Page } from '../../layout/page.tsx';
import { Segments } from '../../components/controls/segments.tsx';
import { Loaded } from '../../components/feedback/loaded.tsx';
import type { FormValues } from '../../data/form-values.ts';
import { useOrganization } from '../../data/place.ts';
import { repositoriesQuery, useSend } from '../../data/queries.ts';

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
    list.hosts.find(host => host.available || !list.available)?.kind ?? 'import',
  );
  const [chosen, setChosen] = useState<string | null>(null);
  const [repository, setRepository] = useState(list.repositories[0]?.name ?? '');
  const create = useSend('POST /organizations/:organization/projects');
  const host = list.hosts.find(each => each.kind === source);
  const submit = async (values: FormValues) => {
    const body: NewProject = {
      name: values.text('name'),
      domain: values.text('domain'),
      public: values.checked('public'),
      source:
        source === 'import'
          ? { type: source, url: values.text('source') }
          : {
              type: source,
              repository: host?.hasConnectPage ? (chosen ?? '') : values.text('source'),
            },
      ...optional(values, ['baseRef', 'siteUrl'] as const),
      ...docsFolder(values, host?.hasConnectPage ?? false),
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
  const choose = (next: Source): void => {
    create.reset(); // what was wrong with the other repository
    setSource(next);
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
            ...list.hosts.map(each => [each.kind, `On ${each.name}`] as const),
            ['import', 'Import from an address'],
            ['existing', 'On the built-in host'],
          ]}
        />
      </div>
      {host && (
        <InPlaceSource
          host={host}
          organization={organization}
          chosen={chosen}
          onChoose={setChosen}
        />
      )}
      {!host &&
        (list.available ? (
          <HostSource
            list={list}
            isImport={source === 'import'}
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
      {!host && (
        <CheckField
          label="Public"
          name="public"
          hint="The docs are for everybody: a copy on the built-in host may be read without a key."
        />
      )}
    </Form>
  );
}

/** A repository that is used where it is: chosen from a list, or named. */
function InPlaceSource({
  host,
  organization,
  chosen,
  onChoose,
}: {
  host: RepositoryList['hosts'][number];
  organization: string;
  chosen: string | null;
  onChoose: (repository: string | null) => void;
}) {
  if (!host.available)
    return (
      <Notice tone="plain">
        {host.name} is not set up.{' '}
        {host.hasConnectPage && (
          <Link to="/$organization/-/github" params={{ organization }}>
            What to set
          </Link>
        )}
      </Notice>
    );
  if (host.hasConnectPage)
    return <GitHubSource organization={organization} chosen={chosen} onChoose={onChoose} />;
  return (
    <>
      <TextField label="Repository" name="source" required hint={`As ${host.name} names it.`} />
      <BranchFields />
    </>
  );
}

function BranchFields({ of }: { of?: RepositoryList['repositories'][number] | undefined }) {
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

/** A repository of the built-in host, or one that is copied there. */
function HostSource({
  list,
  isImport,
  repository,
  onChoose,
}: {
  list: RepositoryList;
  isImport: boolean;
  repository: string;
  onChoose: (name: string) => void;
}) {
  const chosen = isImport ? undefined : list.repositories.find(each => each.name === repository);
  return (
    <>
      {isImport ? (
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
      <BranchFields of={chosen} />
    </>
  );
}

/**
 * Where a folder was proposed, beside a branch, an empty field is the repository's root; elsewhere
 * it leaves the folder to be found.
 */
function docsFolder(values: FormValues, isInspected: boolean): { docsFolder?: string } {
  const proposed = isInspected && values.optional('baseRef') !== undefined;
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
