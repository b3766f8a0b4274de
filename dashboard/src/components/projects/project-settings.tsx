import type { Project } from '../../../../shared/dashboard/projects.ts';
import { useSend } from '../../data/queries.ts';
import { Copyable } from '../controls/copy.tsx';
import { CheckField, Form, TextField } from '../forms/form.tsx';

/** For owners: the settings of a project, to edit. */
export function ProjectSettingsForm({ project }: { project: Project }) {
  const change = useSend('PATCH /projects/:projectId');
  return (
    <>
      <dl className="facts">
        <FixedFacts project={project} />
      </dl>
      <Form
        busy={change.isPending}
        error={change.error}
        submit="Save"
        done={change.isSuccess && 'Saved.'}
        onSubmit={values =>
          change.mutate({
            params: { projectId: project.id },
            body: {
              name: values.text('name'),
              baseRef: values.text('baseRef'),
              docsFolder: values.text('docsFolder'),
              siteUrl: values.optional('siteUrl') ?? null,
              allowMdxCode: values.checked('allowMdxCode'),
              ...(project.isCopy && { public: values.checked('public') }),
            },
          })
        }
      >
        <SourceFields project={project} />
        {project.isCopy && (
          <CheckField
            label="Public"
            name="public"
            defaultChecked={project.public}
            hint="The docs are for everybody: a copy on the built-in host may be read without a key."
          />
        )}
        <CheckField
          label="Code in pages"
          name="allowMdxCode"
          defaultChecked={project.allowMdxCode}
          hint="Jobs may add imports, expressions, scripts and embeds to pages, and change files of code. That runs in your readers’ browsers, and where the site is built."
        />
      </Form>
    </>
  );
}

function SourceFields({ project }: { project: Project }) {
  return (
    <>
      <TextField label="Name" name="name" defaultValue={project.name} required />
      <div className="form-columns">
        <TextField
          label="Base branch"
          name="baseRef"
          defaultValue={project.baseRef}
          required
          hint="Pull requests go to it, and the index follows it."
        />
        <TextField
          label="Docs folder"
          name="docsFolder"
          defaultValue={project.docsFolder}
          placeholder="the repository’s root"
          hint="The agent may edit nothing else."
        />
      </div>
      <TextField
        label="Site address"
        name="siteUrl"
        type="url"
        defaultValue={project.siteUrl ?? ''}
        placeholder="https://docs.example.com"
        hint="What links to pages are built on. Left empty, they are relative."
      />
    </>
  );
}

/** For everyone else: the same settings, to read. */
export function ProjectFacts({ project }: { project: Project }) {
  return (
    <dl className="facts">
      <FixedFacts project={project} />
      <dt>Base branch</dt>
      <dd>
        <code>{project.baseRef}</code>
      </dd>
      <dt>Docs folder</dt>
      <dd>
        <code>{project.docsFolder || '/'}</code>
      </dd>
      <dt>Site address</dt>
      <dd>{project.siteUrl ?? 'none: links are relative'}</dd>
      <dt>Code in pages</dt>
      <dd>{project.allowMdxCode ? 'jobs may add it' : 'jobs may not add any'}</dd>
      {project.isCopy && (
        <>
          <dt>Public</dt>
          <dd>{project.public ? 'yes' : 'no'}</dd>
        </>
      )}
    </dl>
  );
}

function FixedFacts({ project }: { project: Project }) {
  return (
    <>
      <dt>Project ID</dt>
      <dd>
        <Copyable text={project.id} what="project ID" />
      </dd>
      <dt>Domain</dt>
      <dd>{project.domain}</dd>
      <dt>Repository</dt>
      <dd>
        <Copyable text={project.repositoryUrl} what="repository" />
      </dd>
    </>
  );
}
