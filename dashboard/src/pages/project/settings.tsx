import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Project } from '../../../../shared/dashboard/projects.ts';
import { Button } from '../../components/controls/button.tsx';
import { Copyable } from '../../components/controls/copy.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { CheckField, Form, TextField } from '../../components/forms/form.tsx';
import { IndexCard } from '../../components/projects/search-index.tsx';
import { Page } from '../../layout/page.tsx';
import { RepositoryHealth } from '../../components/projects/repository-access.tsx';
import { Loaded } from '../../components/feedback/loaded.tsx';
import { may, useProject } from '../../data/place.ts';
import { projectQuery, useSend } from '../../data/queries.ts';

export function SettingsPage() {
  const { organization, project } = useProject();
  const details = useQuery(projectQuery(project.id));
  const owner = may(organization.role, 'owner');
  return (
    <Page title="Settings" width="narrow">
      <section className="card card-pad section" aria-labelledby="project">
        <h2 id="project">Project</h2>
        <Loaded query={details}>
          {data => (owner ? <ProjectForm project={data} /> : <ProjectFacts project={data} />)}
        </Loaded>
      </section>
      {details.data?.needsCredentials && may(organization.role, 'member') && (
        <RepositoryHealth host={details.data.hostName} />
      )}
      <IndexCard />
      {owner && details.data && <Danger project={details.data} />}
    </Page>
  );
}

function Fixed({ project }: { project: Project }) {
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

function ProjectForm({ project }: { project: Project }) {
  const change = useSend('PATCH /projects/:projectId');
  return (
    <>
      <dl className="facts">
        <Fixed project={project} />
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

function ProjectFacts({ project }: { project: Project }) {
  return (
    <dl className="facts">
      <Fixed project={project} />
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

function Danger({ project }: { project: Project }) {
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const navigate = useNavigate();
  // Away first: once the project is gone, this page is not found.
  const remove = useSend('DELETE /projects/:projectId', () =>
    navigate({ to: '/$organization', params: { organization: project.organization } }),
  );
  return (
    <section className="card card-pad section danger" aria-labelledby="danger">
      <h2 id="danger">Remove this project</h2>
      <div className="row-between">
        <p className="soft">
          Its assistant keys stop working and its domain becomes free. The repository stays.
        </p>
        <Button look="danger" onClick={() => setOpen(true)}>
          Remove …
        </Button>
      </div>
      {open && (
        <Dialog title={`Remove ${project.name}?`} onClose={() => setOpen(false)}>
          <Form
            danger
            busy={remove.isPending}
            error={remove.error}
            submit="Remove the project"
            onSubmit={() => {
              if (typed === project.domain) remove.mutate({ params: { projectId: project.id } });
            }}
          >
            <TextField
              label={`Type ${project.domain} to confirm`}
              name="domain"
              value={typed}
              onChange={event => setTyped(event.target.value)}
              autoComplete="off"
              pattern={project.domain}
              title={`The project’s domain: ${project.domain}`}
              required
            />
          </Form>
        </Dialog>
      )}
    </section>
  );
}
