import type { Project } from '../../../../api/dashboard/contract/projects/projects.ts';
import { useSession } from '../../data/place.ts';
import { Copyable } from '../controls/copy.tsx';
import { CheckField, Form, SelectField, TextArea, TextField } from '../forms/form.tsx';
import { EffortOptions } from '../jobs/effort-options.tsx';
import { AuthorFields } from './author-fields.tsx';
import { BrakeFields } from './brake-fields.tsx';
import { ContextField } from './context-field.tsx';
import { changesIn, useSave } from './save-settings.ts';
import { SiteKindFields } from './site-fields.tsx';

/** The settings of a project: for owners to edit, for everyone else to read. */
export function ProjectSettings({ project, mayEdit }: { project: Project; mayEdit: boolean }) {
  const { effortModels } = useSession();
  const change = useSave(project);
  const fields = (
    <>
      <SourceFields project={project} />
      {project.isCopy && <PublicField project={project} />}
      <PolicyFields project={project} />
      <AuthorFields project={project} />
      <BrakeFields project={project} />
      {effortModels.length > 0 && <EffortField project={project} />}
      <ContextField stored={project.contextRepositories} />
    </>
  );
  return (
    <>
      <dl className="facts">
        <FixedFacts project={project} />
      </dl>
      {mayEdit ? (
        <Form
          guarded
          busy={change.isPending}
          error={change.error}
          submit="Save"
          done={change.isSuccess && 'Saved.'}
          onSubmit={values => change.mutate(changesIn(values))}
        >
          {fields}
        </Form>
      ) : (
        <fieldset disabled className="form" aria-label="Settings">
          {fields}
        </fieldset>
      )}
    </>
  );
}

function PublicField({ project }: { project: Project }) {
  return (
    <CheckField
      label="Public"
      name="public"
      defaultChecked={project.public}
      hint="Anyone can read the docs: a copy on the built-in host needs no key."
    />
  );
}

function EffortField({ project }: { project: Project }) {
  return (
    <SelectField
      label="Effort"
      name="effort"
      defaultValue={project.effort ?? ''}
      hint="How much the model of a job may think. A job can set its own."
    >
      <EffortOptions unset="as the model or the installation is set" />
    </SelectField>
  );
}

/** What jobs can write beyond plain pages. */
function PolicyFields({ project }: { project: Project }) {
  return (
    <>
      <CheckField
        label="Code in pages"
        name="allowMdxCode"
        defaultChecked={project.allowMdxCode}
        hint={
          'Jobs can add imports, expressions, scripts and embeds to pages. ' +
          'Such code runs in your readers’ browsers and wherever the site is built.'
        }
      />
      <TextArea
        label="Other files"
        name="allowPaths"
        defaultValue={project.allowPaths.join('\n')}
        rows={2}
        hint={
          'Jobs write pages, images and the navigation. To let them write other files, enter ' +
          'globs such as docs/data/*.json, one per line. A build may run what is in them.'
        }
      />
      <TextArea
        label="Web pages"
        name="webPages"
        defaultValue={project.webPages.join('\n')}
        rows={2}
        hint={
          'Jobs can read these pages of the web: hosts such as example.com, or addresses that ' +
          'theirs begin with, such as https://example.com/docs, one per line.'
        }
      />
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
          hint="Pull requests target this branch, and the index follows it."
        />
        <TextField
          label="Docs folder"
          name="docsFolder"
          key={project.docsFolder}
          defaultValue={project.docsFolder}
          placeholder="the repository’s root"
          hint="The agent can edit only this folder."
        />
      </div>
      <CheckField
        label="Detect the docs folder"
        name="docsFolderDetected"
        defaultChecked={project.docsFolderDetected}
        hint="Detected again whenever the site is indexed."
      />
      <SiteKindFields siteKind={project.siteKind} basePath={project.basePath} />
      <TextField
        label="Site address"
        name="siteUrl"
        type="url"
        defaultValue={project.siteUrl ?? ''}
        placeholder="https://docs.example.com"
        hint="Base URL of links to pages. If empty, links are relative."
      />
    </>
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
