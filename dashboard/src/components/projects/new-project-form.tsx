import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type {
  NewProject,
  RepositoryList,
} from '../../../../api/dashboard/contract/projects/projects.ts';
import type { FormValues } from '../../data/form-values.ts';
import { useSend } from '../../data/queries.ts';
import { Segments } from '../controls/segments.tsx';
import { CheckField, Form, TextField } from '../forms/form.tsx';
import { ContextField } from './context-field.tsx';
import { NameFields, useNames } from './new-project-names.tsx';
import { RepositoryFields } from './new-project-repository.tsx';
import { newProject } from './new-project-values.ts';
import type { Upload } from './read-folder.ts';
import { SiteKindFields } from './site-fields.tsx';
import { SitePreview } from './site-preview.tsx';
import { UploadField } from './upload-field.tsx';

type Source = NewProject['source']['type'];

interface Props {
  organization: string;
  list: RepositoryList;
}

export function NewProjectForm({ organization, list }: Props) {
  const [source, setSource] = useState<Source>(
    list.hosts.find(host => host.available || !list.available)?.kind ?? 'import',
  );
  const [chosen, setChosen] = useState<string | null>(null);
  const [upload, setUpload] = useState<Upload | null>(null);
  const { create, start, withoutError } = useCreate(organization);
  const names = useNames();
  const host = list.hosts.find(each => each.kind === source);
  const repository = { host, chosen, files: upload?.files ?? [] };
  const submit = (values: FormValues) => {
    if (source === 'upload' && upload?.problem !== undefined) return;
    start(newProject(values, source, repository)).catch(() => undefined);
  };
  return (
    <Form
      guarded
      busy={create.isPending}
      error={create.error}
      submit={source === 'import' ? 'Import and create' : 'Create project'}
      onSubmit={submit}
    >
      <NameFields {...names} />
      <SourceChoice list={list} value={source} onChange={withoutError(setSource)} />
      <RepositoryFields
        list={list}
        host={host}
        source={source}
        upload={
          <UploadField upload={upload} error={create.error} onChoose={withoutError(setUpload)} />
        }
        organization={organization}
        chosen={chosen}
        onChoose={setChosen}
      />
      <SitePreview
        key={`${source} ${chosen ?? ''}`}
        organization={organization}
        request={values => newProject(values, source, repository)}
        onFound={names.propose}
      />
      <SiteFields canBePublic={!host} />
    </Form>
  );
}

/** Creates a project, and opens it. */
function useCreate(organization: string) {
  const create = useSend('POST /organizations/:organization/projects');
  const open = useNavigate();
  const start = async (body: NewProject) => {
    const { domain } = await create.mutateAsync({ params: { organization }, body });
    await open({ to: '/$organization/$domain', params: { organization, domain } });
  };
  // The error was about the other repository.
  const withoutError =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      create.reset();
      set(value);
    };
  return { create, start, withoutError };
}

function SourceChoice({
  list,
  value,
  onChange,
}: {
  list: RepositoryList;
  value: Source;
  onChange: (source: Source) => void;
}) {
  return (
    <div className="field">
      <span className="label">Repository</span>
      <Segments
        label="Repository source"
        value={value}
        onChange={onChange}
        options={[
          ...list.hosts.map(each => [each.kind, `On ${each.name}`] as const),
          ['import', 'Import from an address'],
          ['upload', 'Upload a folder'],
          ['existing', 'On the built-in host'],
        ]}
      />
    </div>
  );
}

function SiteFields({ canBePublic }: { canBePublic: boolean }) {
  return (
    <>
      <SiteKindFields />
      <TextField
        label="Site address"
        name="siteUrl"
        type="url"
        placeholder="https://docs.example.com"
        hint="Base URL of links to pages. If empty, links are relative."
      />
      {canBePublic && (
        <CheckField
          label="Public"
          name="public"
          hint="Anyone can read the docs: a copy on the built-in host needs no key."
        />
      )}
      <ContextField />
    </>
  );
}
